import { readConfig } from '#app/config.ts'
import { run } from '#app/run.ts'

try {
  await run(readConfig(process.env), process.argv.includes('--check'))
} catch (error) {
  console.error(`iThings Core cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
