import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const serverTests = 'apps/server/src/**/*.test.ts'
const embeddedPostgres = 'apps/server/src/engines/embedded-pg/**/*.test.ts'
const minute = 60_000

/** A test that imports the testing room works on a database (house.md 2: room tests); all others are pure. */
const roomTests = globSync(serverTests).filter((path) =>
  /from '#testing\/|from '\S*\/testing\//.test(readFileSync(path, 'utf8')),
)

export default defineConfig({
  test: {
    // Two cores are the machine this must be quick on.
    maxWorkers: 2,
    projects: [
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { test: { name: 'console', include: ['apps/console/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'simulator',
          include: ['apps/simulator/src/**/*.test.ts'],
          testTimeout: minute / 2,
        },
      },
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: minute } },
      { test: { name: 'server-pure', include: [serverTests], exclude: [embeddedPostgres, ...roomTests] } },
      {
        test: {
          name: 'server',
          include: [serverTests],
          exclude: [embeddedPostgres, ...globSync(serverTests).filter((path) => !roomTests.includes(path))],
          globalSetup: ['apps/server/src/testing/global-database.ts'],
          testTimeout: minute / 2,
          hookTimeout: minute,
        },
      },
      {
        // Apart from the others because it does not depend on which database they run.
        test: {
          name: 'embedded-pg',
          include: [embeddedPostgres],
          fileParallelism: false,
          testTimeout: minute,
          hookTimeout: minute,
        },
      },
      {
        test: {
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
