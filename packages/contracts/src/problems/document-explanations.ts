import { NEW_LINK, byStatus, byLot, byPeriod, absent, type Explanation } from './explanation.ts';
import type { documentProblems } from './document-problems.ts';

/** Explanations of the problems of documents and files. */
export const documentExplanations: Readonly<Record<keyof typeof documentProblems, Explanation>> = {
  'document.related-unknown': {
    cause: '`relatedItem` is no object of the kind that `documentOf` says.',
    remedy: 'Send the id of one, or `documentOf: tender`.',
  },
  'document.add-status': byStatus('tender', 'add files here'),
  'document.add-complaint': byStatus('complaint', 'add files'),
  'document.add-contract': byStatus('contract', 'add files'),
  'document.add-contract-status': byStatus('contract', 'add files'),
  'document.change-closed': byStatus('change of the contract', 'add files to it'),
  'document.add-lot': byLot('add files'),
  'document.add-period': byPeriod('add files to a bid'),
  'document.add-award': {
    cause: 'After the tendering period a bidder adds files only while the award of its bid is pending.',
    remedy: 'Read the awards of the tender.',
  },
  'document.update-status': byStatus('tender', 'change files here'),
  'document.update-complaint': byStatus('complaint', 'change files'),
  'document.update-contract': byStatus('contract', 'change files'),
  'document.update-contract-status': byStatus('contract', 'change files'),
  'document.update-lot': byLot('change files'),
  'document.update-period': byPeriod('change files of a bid'),
  'document.update-award': {
    cause: 'After the tendering period a bidder changes files only while the award of its bid is pending.',
    remedy: 'Read the awards of the tender.',
  },
  'document.author': {
    cause: 'Another role has added the file, as its `author` says.',
    remedy: 'Add a file of your own.',
  },
  'document.list-sealed': {
    cause: 'Files of bids are sealed until the bids are opened.',
    remedy: 'Send key and token of the owner of the bid, or read them in one of `allowedStatuses`.',
  },
  'document.sealed': {
    cause: 'The file belongs to a sealed bid.',
    remedy: 'Send key and token of the owner of the bid, or read it in one of `allowedStatuses`.',
  },
  'document.download': {
    cause: 'The address of the file is incomplete, or no version has this `download`.',
    remedy: 'Take `url` from the record of the file.',
  },
  'document.url-foreign': {
    cause: '`url` is no address of the document service of this installation.',
    remedy: 'Register the file at `/register` or upload it at `/upload`, and send the address of the answer.',
  },
  'document.hash-missing': {
    cause: '`url` was sent without `hash`.',
    remedy: 'Send `hash` as `/register` or `/upload` answered it.',
  },
  'document.url-expired': { cause: 'The address was made too long ago.', remedy: NEW_LINK },
  'document.url-signature': {
    cause: 'The signature of the address does not match: the address, or `hash`, was changed.',
    remedy: 'Send `url` and `hash` as the document service answered them.',
  },
  'document.url-invalid': {
    cause: 'The address lacks its key or signature.',
    remedy: 'Send `url` as the document service answered it.',
  },
  'file.missing': { cause: 'The form has no part `file`.', remedy: 'Send multipart/form-data with a part `file`.' },
  'file.too-large': {
    cause: 'The file is larger than this installation takes.',
    remedy: 'Split or compress the file.',
  },
  'file.not-stored': { cause: 'The store of files refused the file.', remedy: 'Repeat the upload later.' },
  'file.hash-missing': {
    cause: 'The registration has no `hash`.',
    remedy: 'Send `hash=md5:` and the MD5 of the file as hex digits.',
  },
  'file.unknown': absent('file'),
  'file.uploaded': { cause: 'The registered file has its content.', remedy: 'Register another file.' },
  'file.checksum': {
    cause: 'The MD5 of the content is not that of the registration.',
    remedy: 'Send the file that was registered.',
  },
  'file.expired': {
    cause: 'The address of the file is too old.',
    remedy: 'Read the record of the file for a new address.',
  },
  'file.key-unknown': {
    cause: 'The address was signed with a key that is not in use.',
    remedy: 'Read the record of the file for a new address.',
  },
  'file.key-private': {
    cause: 'The key of the address opens public files only.',
    remedy: 'Read the record of the file for a new address.',
  },
  'file.signature-missing': { cause: 'The address has no `Signature`.', remedy: 'Use the whole address.' },
  'file.signature-invalid': {
    cause: '`Signature` cannot be read.',
    remedy: 'Use the address as it was answered, percent-encoded once.',
  },
  'file.signature-wrong': {
    cause: 'The address was changed after it was signed.',
    remedy: 'Use the address as it was answered.',
  },
};
