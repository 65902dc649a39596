-- CreateTable
CREATE TABLE "fence" (
    "id" TEXT NOT NULL,
    "fence_number" BIGINT,
    "fence_held_at" TIMESTAMPTZ(6),
    "fence_version" BIGINT,

    CONSTRAINT "fence_pkey" PRIMARY KEY ("id")
);
