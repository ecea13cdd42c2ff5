#!/usr/bin/env node
/** ithings: the platform from the command line (docs/en/cli.md). */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// A third of the time until the first word is said goes into translating the program: that is kept for the next time.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/node'))
await import('./command-line.ts')
