import { fetchForm, openWorld } from './world.ts';
import { runWrk } from './wrk.ts';
const prof = process.env.PROF!;
await using world = await openWorld({ commandPrefix: ['taskset', '-c', '0', 'env', `NODE_OPTIONS=--cpu-prof --cpu-prof-dir=${prof}`] });
const server = await world.startServer();
const { etag } = await fetchForm(server.url);
for (let i = 0; i < 2; i += 1) { const before = server.readCpuTime(); const r = await runWrk({ urls: [`${server.url}/form`], connections: 32, seconds: 4, headers: [`If-None-Match: ${etag}`] });
console.log(Math.round(r.requestsPerSecond), 'cpu', Math.round((server.readCpuTime() - before) * 1000 / r.requests)); }
await server.terminate();
