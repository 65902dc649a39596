-- CreateTable
CREATE TABLE "clock_failure" (
    "id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" BIGINT NOT NULL,
    "error" TEXT NOT NULL,
    "failed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "clock_failure_pkey" PRIMARY KEY ("id")
);
