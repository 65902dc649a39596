import { contractExplanations } from './contract-explanations.ts';
import { documentExplanations } from './document-explanations.ts';
import { WAIT_OR_READ, READ_AGAIN, byStatus, byLot, byPeriod, absent, type Explanation } from './explanation.ts';
import { limitExplanations } from './limit-explanations.ts';
import type { ProblemCode } from './problems.ts';

/** What the page of errors says of each code, beside its text. */
export const explanations: Readonly<Record<ProblemCode, Explanation>> = {
  ...contractExplanations,
  ...documentExplanations,
  ...limitExplanations,
  'request.bad': {
    cause: 'The address, a header or the JSONP callback cannot be read.',
    remedy:
      'Percent-encode the address as UTF-8, send one `Host`, and name a callback of letters, digits, `_`, `$` and dots.',
  },
  'request.key-missing': {
    cause: 'The request changes data and has no API key.',
    remedy: 'Send the key as user name of Basic with an empty password, or as Bearer.',
  },
  'request.key-unknown': {
    cause: 'The API key is misspelt, was revoked, or belongs to another installation.',
    remedy: 'Ask the operator of this installation for a key.',
  },
  'request.forbidden': {
    cause: 'The group of the key may not do this to any object.',
    remedy: 'Send a key of a group that may: the reference at `/docs` says of each operation who may call it.',
  },
  'request.token-missing': {
    cause: 'The request changes an existing object and has no owner token.',
    remedy:
      'Send the `access.token` of the answer that created the object: as `X-Access-Token`, as `acc_token`, or in `access` of the body.',
  },
  'request.token-wrong': {
    cause: 'The owner token is not that of this object and of the broker whose key is sent.',
    remedy:
      'Send the token of this very object: a tender, each bid and each complaint have their own, and a change of owner ends the old one.',
  },
  'request.other-broker': {
    cause:
      'The object belongs to another broker, whom `owner` of the tender names. A token is valid with the key of its broker only.',
    remedy:
      'Send the key of the owner. Another broker takes an object over by `POST /transfers` and `POST .../ownership`.',
  },
  'request.role-forbidden': {
    cause: 'The caller has a role in this tender, and the role may not change this object, or not as it is now.',
    remedy: 'Read the object: the reference says which role may change it in which status.',
  },
  'request.level': {
    cause:
      'The key lacks the accreditation level that creates such objects: 1 for tenders, 2 for bids, questions and complaints.',
    remedy: 'Ask the operator for the level.',
  },
  'request.test-only': {
    cause: 'The key has the flag `t`: it may write to tenders of mode `test` only.',
    remedy: 'Use a tender with `mode: test`, or ask for a key without the flag.',
  },
  'ownership.level': {
    cause: 'The key lacks the accreditation level that creates such objects, so it cannot take one over.',
    remedy: 'Ask the operator for the level.',
  },
  'ownership.test-only': {
    cause: 'The key has the flag `t`, and the tender is no test.',
    remedy: 'Take over objects of tenders with `mode: test` only.',
  },
  'ownership.owner-level': {
    cause: 'The present owner still works here: its keys lack level `x`, with which a broker has left.',
    remedy: 'Wait until the operator has marked the owner as left.',
  },
  'ownership.status': byStatus('tender', 'change an owner'),
  'ownership.transfer': {
    cause: 'The transfer does not exist, was made by another broker, or `transfer` is not the secret of the object.',
    remedy: 'Make a transfer with `POST /transfers`, and send its `id` with the `access.transfer` of the object.',
  },
  'ownership.transfer-used': {
    cause: 'The transfer has changed the owner of another object.',
    remedy: 'Make a new transfer for each object.',
  },
  'request.not-found': {
    cause: 'No operation has this path. Paths are exact: case, a final slash and the version segment count.',
    remedy: 'Take the path from `/api/2.5/openapi.json`. The segments are 2.5, 2.4, 2.3, 0, 0.1 and 0.2.',
  },
  'object.not-found': {
    cause: 'The object that `name` says does not exist in the object before it in the path.',
    remedy: 'Take identifiers from answers. An identifier of another installation is unknown here.',
  },
  'bid.seal-not-disclosed': {
    cause:
      'The tender has no disclosed seal: its bids are not opened, it was cancelled before that, or it was closed while bids were not encrypted.',
    remedy: 'Ask again once the tender shows bids. A tender that shows no `bidsSeal` will have none.',
  },
  'request.method': {
    cause: 'The path exists, and does not have this method.',
    remedy: 'Use a method that `Allow` lists.',
  },
  'request.timeout': {
    cause: 'The body arrived too slowly.',
    remedy: 'Repeat the request, large files over a faster line.',
  },
  'object.conflict': {
    cause: 'Another request changed the object at the same time.',
    remedy: 'Read the object, and repeat the change.',
  },
  'object.archived': { cause: 'The tender was archived.', remedy: 'Forget its identifier.' },
  'request.precondition': {
    cause: 'The object has changed since the answer with the `ETag` that `If-Match` names.',
    remedy: 'Read the object, make the change again, and send the new `ETag`.',
  },
  'request.too-large': {
    cause: 'The body is larger than 4 MiB.',
    remedy: 'Put long texts into files, and send fewer members.',
  },
  'request.content-type': {
    cause: 'The body is not announced as JSON.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'request.content-encoding': { cause: 'The body is compressed.', remedy: 'Send it without `Content-Encoding`.' },
  'tender.method-type': {
    cause: 'Only the procedure `belowThreshold` exists here.',
    remedy: 'Send `procurementMethodType: belowThreshold`, or leave it out.',
  },
  'body.unreadable': {
    cause: 'The body is empty, is no JSON, is nested deeper than 64 levels, or has more than 100,000 commas.',
    remedy: 'Send one JSON object in UTF-8.',
  },
  'body.no-data': {
    cause: 'The body is no object, or has no object `data`.',
    remedy: 'Send `{"data": {...}}`.',
  },
  'body.invalid': {
    cause:
      'Members of `data` are unknown, missing, of a wrong type or out of range: one error for each top-level member.',
    remedy: 'Correct the member that `pointer` names. OpenAPI describes all members.',
  },
  'body.undecodable': {
    cause: 'The form of an upload cannot be read.',
    remedy: 'Send multipart/form-data with a part `file`.',
  },
  'object.ignored-members': {
    cause:
      'The request has `Prefer: handling=strict` and sets a member that its sender may not change now. Nothing was changed.',
    remedy: 'Leave the members out that `pointer` names, or wait for one of `allowedStatuses`.',
  },
  'feed.offset': {
    cause: 'The offset is not one of this feed.',
    remedy: 'Begin without an offset, then follow `next_page`.',
  },
  'feed.limit': {
    cause: 'The parameter `limit` is no whole number, or less than 1.',
    remedy: 'Send a whole number of 1 or more, or leave it out: a page then has 100 rows.',
  },
  'feed.opt-fields': {
    cause: 'The list of members is too long.',
    remedy: 'Ask for fewer members, or read the tenders.',
  },
  'tender.kind': {
    cause: 'The kind of the procuring entity may not use this procedure.',
    remedy: 'Send one of the kinds that the description lists.',
  },
  'tender.update-status': byStatus('tender', 'change it'),
  'question.add-period': byPeriod('ask questions'),
  'question.add-lot': byLot('ask about it'),
  'question.update-status': byStatus('tender', 'answer questions'),
  'question.update-lot': byLot('answer questions about it'),
  'complaint.add-status': byStatus('tender', 'file complaints'),
  'complaint.update-tender-status': byStatus('tender', 'change complaints'),
  'complaint.update-status': byStatus('complaint', 'change it: it is closed'),
  'complaint.resolution-short': {
    cause: 'An answer to a claim needs a reason.',
    remedy: 'Send a longer `resolution`.',
  },
  'complaint.update': {
    cause: 'The caller may not move the complaint from its status to that one.',
    remedy: 'Read the complaint. The guide to complaints shows all moves and who makes them.',
  },
  'cancellation.add-status': byStatus('tender', 'cancel it'),
  'cancellation.add-lot': byLot('cancel it'),
  'cancellation.update-status': byStatus('tender', 'change cancellations'),
  'cancellation.update-lot': byLot('change its cancellation'),
  'lot.add-status': byStatus('tender', 'add lots'),
  'lot.update-status': byStatus('tender', 'change lots'),
  'lot.delete-status': byStatus('tender', 'remove lots'),
  'bid.add-status': byStatus('tender', 'bid'),
  'bid.add-period': byPeriod('bid'),
  'bid.update-status': byStatus('tender', 'change bids'),
  'bid.update-period': byPeriod('change bids'),
  'bid.to-status': {
    cause: 'A bid cannot be moved to this status by its owner.',
    remedy: 'Send `active` to publish a draft. DELETE withdraws a bid.',
  },
  'bid.delete-status': byStatus('tender', 'withdraw bids'),
  'bid.delete-period': byPeriod('withdraw bids'),
  'bid.list-sealed': {
    cause: 'Bids are sealed until the auction is over.',
    remedy: 'Read them in one of `allowedStatuses`. The owner of a bid reads it at its own address with its token.',
  },
  'bid.sealed': {
    cause:
      'The bid is sealed until the auction is over, or is a draft, and the token of its owner is missing or wrong.',
    remedy: 'Send key and token of the owner of the bid, or read it in one of `allowedStatuses`.',
  },
  'bid.receipt': {
    cause: 'The bid is stored in clear text, as after the opening, or this installation signs no receipts.',
    remedy: 'Read the receipt before the opening, or keep the header `Procurement-Receipt` of the write.',
  },
  'bid.terms': {
    cause: 'The bid does not fit the terms of the tender: currency, amount, lots, criteria or their values.',
    remedy: 'Read the tender, and correct the member that `pointer` names.',
  },
  'auction.get-status': byStatus('tender', 'read the record of the auction'),
  'auction.urls-status': byStatus('tender', 'publish addresses of the auction'),
  'auction.report-status': {
    cause: 'The tender holds no auction now, or other results are recorded already.',
    remedy: WAIT_OR_READ,
  },
  'auction.urls-lot': byLot('publish addresses of its auction'),
  'auction.report-lot': byLot('report results of its auction'),
  'award.add-status': byStatus('tender', 'add awards'),
  'award.add-lot': byLot('award it'),
  'award.add-another': {
    cause: 'The tender or the lot has an award that is pending or active.',
    remedy: 'Decide on that award first.',
  },
  'award.update-tender-status': byStatus('tender', 'decide on awards'),
  'award.update-lot': byLot('decide on its award'),
  'award.update-status': byStatus('award', 'make this change'),
  'award-complaint.add-lot': byLot('complain about its award'),
  'award-complaint.add-period': byPeriod('complain about the award'),
  'award-complaint.update-lot': byLot('change complaints about its award'),
  'params.unknown': {
    cause:
      'The operation has no parameter of this name. A misspelt filter is refused, so that it never means everything.',
    remedy: 'Use a name that `allowedValues` lists.',
  },
  'params.invalid': {
    cause: 'The value cannot be read, is out of range, is missing or was sent twice.',
    remedy: 'Send it once, as `allowedValues` says.',
  },
  'params.conflict': { cause: 'Two parameters exclude each other.', remedy: 'Leave one of them out.' },
  'params.not-found': { cause: 'There is nothing at this place.', remedy: 'Ask for a later time.' },
  'params.expired': {
    cause: 'The cursor is not one of these pages.',
    remedy: 'Begin without it, then follow `next_page`.',
  },
  'search.broad': { cause: 'Too many tenders match the beginnings of words.', remedy: 'Add a word, or a filter.' },
  'stream.last-event-id': {
    cause: 'The id is no offset of the feed, or is older than what the stream keeps.',
    remedy: 'Read the feed from there, then open the stream with its last offset.',
  },
  'ocds.not-found': absent('release or record'),
  'log.not-found': absent('tile, checkpoint or tender in the log'),
  'revision.not-found': absent('revision of the tender'),
  'webhook.limit': { cause: 'The broker has {max} webhooks.', remedy: 'Delete one, or change its filter.' },
  'webhook.test-status': {
    cause: 'The address of the webhook has not answered its challenge, or the broker is suspended.',
    remedy: 'Let the address answer `webhook.verify` with its `challenge`.',
  },
  'webhook.update-status': byStatus('webhook', 'pause it'),
  'webhook.redeliver-limit': { cause: '{max} redeliveries of the webhook wait.', remedy: 'Wait until one is done.' },
  'dead-letter.not-found': absent('change that was given up'),
  'request.idempotency-key': {
    cause: 'The key for repeats is too long, or has other characters.',
    remedy: 'Send a UUID.',
  },
  'request.idempotency-body': {
    cause: 'The same `Idempotency-Key` came with another body within 24 hours.',
    remedy: 'Send a new key with each new request, and the same key with its repeats only.',
  },
  'request.dry-run': { cause: 'This operation cannot be tried without effect.', remedy: 'Leave `opt_dry_run` out.' },
  'request.too-many': { cause: 'The address or the key has used up its rate.', remedy: 'Wait `Retry-After` seconds.' },
  'service.failed': { cause: 'The service has a fault, and its operators are told.', remedy: READ_AGAIN },
  'service.bad-gateway': { cause: 'A service behind the gateway broke the connection.', remedy: READ_AGAIN },
  'service.unavailable': {
    cause: 'The service is overloaded, ends, or cannot know the answer now.',
    remedy: 'Repeat the request after `Retry-After` seconds.',
  },
  'service.timeout': { cause: 'A service behind the gateway answered too late.', remedy: READ_AGAIN },
};
