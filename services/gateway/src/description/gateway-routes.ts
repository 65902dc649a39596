import type { DescribedRoute } from './described-route.ts';
import { z } from 'zod';

const segments = ['2.5', '2.3', '0', '0.1'] as const;

/** Operations that the gateway answers itself, in every segment. Their answers have no `data` envelope. */
export const gatewayRoutes: readonly DescribedRoute[] = [
  {
    name: 'getSpore',
    method: 'GET',
    path: '/spore',
    spore: 'get_spore',
    summary: 'Description of this service for generic clients',
    description: 'Every operation of the segment in the SPORE format, from which generic clients make their calls.',
    segments,
    responses: {
      200: z.looseObject({
        name: z.string(),
        base_url: z.url(),
        version: z.string(),
        expected_status: z.array(z.int()),
        formats: z.array(z.string()),
        methods: z.record(z.string(), z.unknown()),
      }),
    },
    bare: true,
    example: {
      name: 'Public Procurement Tender Service',
      base_url: 'https://api.example.org/api/2.5',
      version: '2.5',
      expected_status: [200],
      formats: ['json'],
      methods: { get_tenders: { path: '/tenders', method: 'GET', formats: ['json'], description: 'Tenders feed' } },
    },
  },
  {
    name: 'getHealth',
    method: 'GET',
    path: '/health',
    spore: 'get_health',
    summary: 'Whether the service works',
    description: '200 while the service can answer requests, 503 otherwise.',
    segments,
    responses: { 200: z.looseObject({ health: z.literal('ok'), sandbox: z.boolean().optional() }) },
    bare: true,
    example: { health: 'ok' },
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
    example: { API: '0.1.0', segments: ['0', '0.1', '2.3', '2.5'] },
  },
];
