import { parentPort, workerData } from 'node:worker_threads';
import { simulateMonths, type MonthlyOptions } from './monthly-simulation.ts';

parentPort!.postMessage(await simulateMonths(workerData as MonthlyOptions));
