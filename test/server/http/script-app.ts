import type { Database } from '../../../src/server/database/database.ts';
import { AssetArchive } from '../../../src/server/http/asset-archive.ts';
import { createRouter } from '../../../src/server/http/context.ts';
import { createAssetLoader } from '../../../src/server/http/embed-assets.ts';
import { addScriptRoutes } from '../../../src/server/http/routes/scripts.ts';
import { LOG } from '../test-environment.ts';

export function createScriptApp(database: Database) {
  const loadAssets = createAssetLoader();
  const assetArchive = new AssetArchive({ database, loadAssets, log: LOG, now: Date.now });
  const app = createRouter();
  addScriptRoutes(app, { loadAssets, assetArchive });
  return { app, loadAssets };
}
