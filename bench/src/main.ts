/** npm run bench [-- row ...]: measures what goals.md names, prints one table, writes it as JSON. */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { machineText, readMachine } from './machine.ts'
import { type MeasuredRow, type Row, table } from './row.ts'
import { measureBacktest } from './rows/backtest.ts'
import { measureCell } from './rows/cell.ts'
import { measureConsoleSize } from './rows/console-size.ts'
import { measureCrash } from './rows/crash.ts'
import { measureDeviceList } from './rows/device-list.ts'
import { measureForward } from './rows/forward.ts'
import { measureHistory } from './rows/history.ts'
import { measureHome } from './rows/home.ts'
import { measureIngest } from './rows/ingest.ts'
import { measureJournal } from './rows/journal.ts'
import { measureOta } from './rows/ota.ts'
import { measurePermission } from './rows/permission.ts'
import { measureScenes } from './rows/scenes.ts'
import { measureStart } from './rows/start.ts'

const measurements: Record<string, () => Promise<Row[]>> = {
  start: measureStart,
  permission: measurePermission,
  console: measureConsoleSize,
  devices: measureDeviceList,
  ingest: measureIngest,
  forward: measureForward,
  crash: measureCrash,
  journal: measureJournal,
  cell: measureCell,
  history: measureHistory,
  home: measureHome,
  scenes: measureScenes,
  backtest: measureBacktest,
  ota: measureOta,
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = asked.filter((name) => !(name in measurements))
if (unknown.length > 0) {
  console.error(`no such row: ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}`)
  process.exit(2)
}

const rows: MeasuredRow[] = []
for (const [name, measure] of Object.entries(measurements)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const machine = await readMachine()
  console.error(`measuring ${name} on ${machineText(machine)} ...`)
  for (const row of await measure()) rows.push({ ...row, machine })
}

const results = fileURLToPath(new URL('../results', import.meta.url))
await mkdir(results, { recursive: true })
await writeFile(
  `${results}/latest.json`,
  JSON.stringify({ at: new Date().toISOString(), node: process.version, rows }, null, 2),
)
console.log(table(rows))
process.exitCode = rows.every((r) => r.ok) ? 0 : 1
