/** vitest globalSetup: the room tests on a scratch cluster of the embedded PostgreSQL, as `npm start` has it. */
import type { TestProject } from 'vitest/node'
import { provideDatabase, scratchServer } from './provide-database.ts'

export default async (project: TestProject) => provideDatabase(project, await scratchServer({ tcp: false }))
