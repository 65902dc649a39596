import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chartFiles, writeChart } from './deploy/chart.ts';
import { ROOT, readText } from './deploy/repository.ts';
import { z } from 'zod';

// `npm run chart [-- <folder>]` writes the Helm chart: deploy/helm/procurement with the templates made of deploy/kubernetes/base.
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readText('package.json')));
const folder = resolve(process.argv[2] ?? join(ROOT, 'dist/chart/procurement'));
rmSync(folder, { recursive: true, force: true });
writeChart(folder, chartFiles(version));
console.log(folder);
