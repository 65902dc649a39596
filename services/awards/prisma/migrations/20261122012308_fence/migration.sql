-- CreateTable
CREATE TABLE "fence" (
    "id" TEXT NOT NULL,
    "fence_number" BIGINT,
    "fence_held_at" TIMESTAMPTZ(6),
    "fence_version" BIGINT,

    CONSTRAINT "fence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fence_raised" (
    "id" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "open" BOOLEAN NOT NULL,
    "raised_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "fence_raised_pkey" PRIMARY KEY ("id")
);
