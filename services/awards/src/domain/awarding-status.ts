/** Tender statuses in which awards, their complaints and contracts can be changed (bids-awards-auction.md 3.2, 4.3). */
export function isAwardingStatus(status: string): boolean {
  return status === 'active.qualification' || status === 'active.awarded';
}
