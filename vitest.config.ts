import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const serverTests = 'apps/server/src/**/*.test.ts'
const embeddedPostgres = 'apps/server/src/engines/embedded-pg/**/*.test.ts'
const minute = 60_000
/** How long a condition is waited for: a machine that does other work meanwhile is slow, not broken. */
const patient = { expect: { poll: { interval: 50, timeout: minute / 3 } }, testTimeout: minute / 2 }
/** Real processes, sockets and browsers on a busy machine: one second try, which the report names (retry x1). */
const secondTry = { retry: 1 }

/** A test that imports the testing room works on a database (house.md 2: room tests); all others are pure. */
const roomTests = globSync(serverTests).filter((path) =>
  /from '#testing\/|from '\S*\/testing\//.test(readFileSync(path, 'utf8')),
)

export default defineConfig({
  test: {
    // Two cores are the machine this must be quick on.
    maxWorkers: 2,
    projects: [
      { test: { ...patient, name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { test: { ...patient, name: 'console', include: ['apps/console/{src,build}/**/*.test.{ts,tsx}'] } },
      {
        test: {
          ...patient,
          ...secondTry,
          name: 'simulator',
          include: ['apps/simulator/src/**/*.test.ts'],
        },
      },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: minute } },
      { test: { ...patient, name: 'server-pure', include: [serverTests], exclude: [embeddedPostgres, ...roomTests] } },
      {
        test: {
          ...patient,
          ...secondTry,
          name: 'server',
          include: [serverTests],
          exclude: [embeddedPostgres, ...globSync(serverTests).filter((path) => !roomTests.includes(path))],
          globalSetup: ['apps/server/src/testing/global-database.ts'],
          hookTimeout: minute,
        },
      },
      {
        // Apart from the others because it does not depend on which database they run.
        test: {
          ...secondTry,
          name: 'embedded-pg',
          include: [embeddedPostgres],
          fileParallelism: false,
          testTimeout: minute,
          hookTimeout: minute,
        },
      },
      {
        test: {
          // No second try inside a file: a walk builds on what it did before (scripts/second-try.mjs).
          name: 'e2e',
          include: ['e2e/src/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 3 * minute,
          hookTimeout: 3 * minute,
        },
      },
    ],
  },
})
