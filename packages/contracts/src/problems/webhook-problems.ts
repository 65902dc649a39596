function refused<const D extends string>(description: D) {
  return { status: 403, location: 'body', name: 'data', description } as const;
}

/** Problems of webhooks (register.md 5). `problems.ts` checks the shape of these rows. */
export const webhookProblems = {
  'webhook.limit': refused("Can't add webhook: limit of {max} reached"),
  'webhook.test-status': refused("Can't test webhook in current ({status}) status"),
  'webhook.update-status': refused("Can't update webhook in current ({status}) status"),
  'webhook.redeliver-limit': refused("Can't redeliver: limit of {max} reached"),
  'dead-letter.not-found': { status: 404, location: 'url', name: 'position', description: 'Not Found' },
} as const;
