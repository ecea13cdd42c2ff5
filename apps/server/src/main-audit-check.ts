import { auditCheck } from '#app/audit-check.ts'
import { readConfig } from '#app/config.ts'

try {
  process.exitCode = await auditCheck({
    args: process.argv.slice(2),
    config: readConfig(process.env),
    say: (line) => console.log(line),
    complain: (line) => console.error(line),
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
