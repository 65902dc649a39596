CREATE INDEX "leaf_restore" ON "leaf"("index") WHERE "kind" = 'restore';

ALTER TABLE "head" ADD CONSTRAINT "head_is_one" CHECK ("id" = 1);
ALTER TABLE "head" ADD CONSTRAINT "head_phase" CHECK ("phase" IN ('listing', 'begins', 'follows'));

-- What is in the log stays as it is, also for the owner of the tables. A superuser may change it; verifiers then see it.
REVOKE UPDATE, DELETE, TRUNCATE ON "leaf" FROM CURRENT_USER;
GRANT UPDATE ("redacted_by") ON "leaf" TO CURRENT_USER;
REVOKE UPDATE, TRUNCATE ON "open_entry" FROM CURRENT_USER;
