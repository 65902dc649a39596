-- Numbers are looked up whatever the case of their letters (register.md 6.1).
DROP INDEX "tender_number_idx";
CREATE INDEX "tender_by_number" ON "tender"(lower("number")) WHERE "listed";
