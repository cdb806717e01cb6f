import { parentPort, workerData } from 'node:worker_threads';
import { type MonthlyOptions, simulateMonths } from './monthly-simulation.ts';

parentPort!.postMessage(await simulateMonths(workerData as MonthlyOptions));
