import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { LongTestsFirst } from './scripts/long-tests-first.ts'

const serverTests = 'apps/server/src/**/*.test.ts'
const embeddedPostgres = 'apps/server/src/engines/embedded-pg/**/*.test.ts'
/**
 * Room tests on a database that is given by its address: servers that share one have it by no other way, and of backups
 * and migrations the embedded one is tried by `backup/command.test.ts` and by every start.
 */
const byAddressOnly = [
  'apps/server/src/**/*servers.test.ts',
  'apps/server/src/backup/{backup,encrypted,interrupted}.test.ts',
  'apps/server/src/db/{migrate,rolling-upgrade}.test.ts',
]
/** Room tests that depend on how the database is reached, and run both ways. */
const bothWays = [
  'apps/server/src/db/{connect,schema}.test.ts',
  'apps/server/src/engines/pg-signal/**/*.test.ts',
  'apps/server/src/features/home/database-away.test.ts',
]
const minute = 60_000

/** How long things are waited for. A machine that does other work meanwhile is slow, not broken: only a test that hangs fails.
 * A look is a call of the API with its queries in most rooms, so looking more often takes the cores from who is waited for. */
const patient = {
  expect: { poll: { interval: 50, timeout: 4 * minute } },
  testTimeout: 10 * minute,
  hookTimeout: 10 * minute,
}
/** Node runs our TypeScript itself, and files that share a worker share what they import: nothing in it is changed. */
const plain = {
  ...patient,
  isolate: false,
  experimental: { viteModuleRunner: false },
  setupFiles: ['packages/contract/src/testing/property-seed.ts'],
}

/** A test that imports the testing room, but for what reads sentences and tables, works on a database; all others are pure. */
const isRoomTest = (path: string): boolean =>
  /from '#testing\/(?!said\.ts|read-table\.ts)|from '\S*\/testing\//.test(readFileSync(path, 'utf8'))
const roomTests = globSync(serverTests, { exclude: [embeddedPostgres, ...byAddressOnly] }).filter(isRoomTest)
/** The command line as a process, against a server. */
const commandLineRooms = 'apps/cli/src/rooms/*.test.ts'
const roomTestsByAddress = globSync([...byAddressOnly, ...bothWays]).filter(isRoomTest)

export default defineConfig({
  test: {
    // Two cores are the machine this must be quick on.
    maxWorkers: 2,
    sequence: { sequencer: LongTestsFirst },
    projects: [
      { test: { ...plain, name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      // Screens need the bundler's ways of loading.
      {
        test: {
          ...patient,
          isolate: false,
          name: 'console',
          include: ['apps/console/{src,build}/**/*.test.{ts,tsx}'],
        },
      },
      { test: { ...plain, name: 'simulator', include: ['apps/simulator/src/**/*.test.ts'] } },
      { test: { ...plain, name: 'cli', include: ['apps/cli/src/*.test.ts'] } },
      { test: { ...plain, name: 'scripts', include: ['scripts/**/*.test.ts', 'bench/src/*.test.ts'] } },
      { test: { ...plain, name: 'chaos', include: ['bench/src/chaos/*.test.ts'] } },
      {
        test: {
          ...plain,
          name: 'server-pure',
          include: [serverTests],
          exclude: [embeddedPostgres, ...roomTests, ...roomTestsByAddress],
        },
      },
      {
        test: {
          ...plain,
          name: 'server',
          include: [...roomTests, commandLineRooms],
          globalSetup: ['apps/server/src/testing/embedded-database.ts'],
        },
      },
      {
        test: {
          ...plain,
          name: 'server-by-address',
          include: roomTestsByAddress,
          globalSetup: ['apps/server/src/testing/address-database.ts'],
        },
      },
      // Apart from the others because it does not depend on which database they run.
      { test: { ...plain, name: 'embedded-pg', include: [embeddedPostgres] } },
      {
        test: {
          ...plain,
          name: 'e2e',
          include: ['e2e/src/**/*.test.ts'],
          globalSetup: ['e2e/src/global-setup.ts'],
          // A walk has many waits.
          testTimeout: 10 * minute,
          hookTimeout: 10 * minute,
        },
      },
    ],
  },
})
