import type { DescribedRoute } from './described-route.ts';
import { z } from 'zod';

const segments = ['2.5', '2.3', '0', '0.1'] as const;

/** What the gateway answers itself in every segment, for `/spore` and OpenAPI. These answers have no `data` envelope. */
export const gatewayRoutes: readonly DescribedRoute[] = [
  {
    name: 'getSpore',
    method: 'GET',
    path: '/spore',
    spore: 'get_spore',
    summary: 'Description of this service for generic clients',
    description: 'Every operation of the segment in the SPORE format, from which generic clients make their calls.',
    segments,
    responses: { 200: z.looseObject({ name: z.string(), base_url: z.url(), version: z.string() }) },
    bare: true,
  },
  {
    name: 'getHealth',
    method: 'GET',
    path: '/health',
    spore: 'get_health',
    summary: 'Whether the service works',
    description: '200 while the service can answer requests, 503 otherwise.',
    segments,
    responses: { 200: z.looseObject({ health: z.literal('ok') }) },
    bare: true,
  },
  {
    name: 'getVersion',
    method: 'GET',
    path: '/version',
    spore: 'get_version',
    summary: 'Release and segments of this service',
    description: 'The release of the software and the version segments that it serves.',
    segments,
    responses: { 200: z.object({ API: z.string(), segments: z.array(z.string()) }) },
    bare: true,
  },
];
