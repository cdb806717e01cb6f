import { bootstrapApplication } from '@angular/platform-browser';
import { Give } from './give';

await bootstrapApplication(Give);
