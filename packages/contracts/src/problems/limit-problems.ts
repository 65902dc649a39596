/** 422: the byte budget (limits.md). `what` completes "No more than {max} ... are allowed." */
function limitProblem<const N extends string, const W extends string>(name: N, what: W) {
  return { status: 422, location: 'body', name, description: `No more than {max} ${what} are allowed.` } as const;
}

/** Problems of sizes and numbers. `problems.ts` checks the shape of these rows. */
export const limitProblems = {
  'limit.tender-terms': limitProblem(
    'data',
    'bytes of one tender without its questions, complaints, answers and cancellations',
  ),
  'limit.question-bytes': limitProblem('data', 'bytes of one question'),
  'limit.questions': limitProblem('questions', 'questions in one tender'),
  'limit.questions-of-broker': limitProblem('questions', 'questions of one broker in one tender'),
  'limit.question-quota': limitProblem('questions', 'bytes of all questions in one tender'),
  'limit.question-quota-of-broker': limitProblem('questions', 'bytes of all questions of one broker in one tender'),
  'limit.complaint-bytes': limitProblem('data', 'bytes of one complaint'),
  'limit.complaints': limitProblem('complaints', 'complaints in one tender'),
  'limit.complaints-of-broker': limitProblem('complaints', 'complaints of one broker in one tender'),
  'limit.complaint-quota': limitProblem('complaints', 'bytes of all complaints in one tender'),
  'limit.complaint-quota-of-broker': limitProblem('complaints', 'bytes of all complaints of one broker in one tender'),
  'limit.reply-quota': limitProblem('data', 'bytes of all answers and resolutions in one tender'),
  'limit.decision-quota': limitProblem('data', 'bytes of all decisions on complaints in one tender'),
  'limit.cancellation-bytes': limitProblem('data', 'bytes of one cancellation'),
  'limit.cancellations': limitProblem('cancellations', 'cancellations in one tender'),
  'limit.cancellation-quota': limitProblem('cancellations', 'bytes of all cancellations in one tender'),
  'limit.bid-bytes': limitProblem('data', 'bytes of one bid'),
  'limit.bids': limitProblem('bids', 'bids in one tender, withdrawn ones included,'),
  'limit.bids-of-broker': limitProblem('bids', 'bids of one broker in one tender, withdrawn ones included,'),
  'limit.bid-quota': limitProblem('bids', 'bytes of all bids in one tender'),
  'limit.bid-quota-of-broker': limitProblem('bids', 'bytes of all bids of one broker in one tender'),
  'limit.award-bytes': limitProblem('data', 'bytes of one award'),
  'limit.awards': limitProblem('awards', 'awards in one tender'),
  'limit.contract-bytes': limitProblem('data', 'bytes of one contract'),
  'limit.contracts': limitProblem('contracts', 'contracts in one tender'),
  'limit.change-bytes': limitProblem('data', 'bytes of one change'),
  'limit.changes': limitProblem('changes', 'changes of one contract'),
  'limit.transactions': limitProblem('transactions', 'transactions of one contract'),
  'limit.implementation-bytes': limitProblem('data', 'bytes of what followed one signed contract'),
  'limit.implementation-quota': limitProblem('data', 'bytes of what followed all signed contracts of one tender'),
  'limit.awarding-quota': limitProblem('data', 'bytes of all awards and contracts in one tender'),
  'limit.document-bytes': limitProblem('data', 'bytes of one document without its file'),
  'limit.documents-of-parent': limitProblem('documents', 'versions of documents in one place'),
  'limit.documents': limitProblem('documents', 'versions of documents of this kind in one tender'),
  'limit.documents-of-broker': limitProblem(
    'documents',
    'versions of documents of this kind of one broker in one tender',
  ),
  'limit.document-quota': limitProblem(
    'documents',
    'bytes of all documents of this kind, without files, in one tender',
  ),
  'limit.document-quota-of-broker': limitProblem(
    'documents',
    'bytes of all documents of this kind, without files, of one broker in one tender',
  ),
} as const;
