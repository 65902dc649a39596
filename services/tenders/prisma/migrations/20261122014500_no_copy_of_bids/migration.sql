-- The copy of bids, which nobody read. The table stays: the previous release may still run and write to it.
TRUNCATE "replica";
-- Events of the retired durable can be neither applied nor replayed.
DELETE FROM "dead_letter" WHERE "durable" = 'tenders--bids';
