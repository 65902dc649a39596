-- CreateTable
CREATE TABLE "transfer" (
    "id" TEXT NOT NULL,
    "broker" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "transfer_hash" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "used_for" TEXT,

    CONSTRAINT "transfer_pkey" PRIMARY KEY ("id")
);
