/** On what a row was measured: printed with every row, so that figures of two machines are never compared by mistake. */
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { arch, availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  /** What this process may use, and what there is: they differ under taskset or in a container. */
  cores: number
  coresThere: number
  processor: string
  arch: string
  memoryGB: number
  system: string
  node: string
  /** Median of writing 8 KiB and waiting for the disk, where the databases of the bench lie. */
  syncMs: number
  /** One-minute load average before the row: work of others shows here. */
  load: number
}

/** ARM Linux names its processors by numbers. The ones that servers, small boards and phones have. */
const armParts: Record<string, Record<string, string>> = {
  '0x41': {
    '0xd03': 'Cortex-A53',
    '0xd05': 'Cortex-A55',
    '0xd07': 'Cortex-A57',
    '0xd08': 'Cortex-A72',
    '0xd09': 'Cortex-A73',
    '0xd0a': 'Cortex-A75',
    '0xd0b': 'Cortex-A76',
    '0xd0c': 'Neoverse-N1',
    '0xd0d': 'Cortex-A77',
    '0xd40': 'Neoverse-V1',
    '0xd41': 'Cortex-A78',
    '0xd49': 'Neoverse-N2',
    '0xd4f': 'Neoverse-V2',
    '0xd83': 'Neoverse-V3',
    '0xd8e': 'Neoverse-N3',
  },
  '0x48': { '0xd01': 'Kunpeng-920' },
  '0x70': { '0x662': 'Phytium FTC662', '0x663': 'Phytium FTC663' },
  '0xc0': { '0xac3': 'Ampere-1', '0xac4': 'Ampere-1A' },
}

/** A heterogeneous processor has several kinds of cores: each is named once. */
function armNames(cpuinfo: string): string {
  const all = (field: string) =>
    [...cpuinfo.matchAll(new RegExp(`^${field}\\s*: (\\S+)`, 'gm'))].map(([, value]) => value)
  const makers = all('CPU implementer')
  const names = all('CPU part').map((part = '', i) => {
    const maker = makers[i] ?? ''
    return armParts[maker]?.[part] ?? `part ${part} of maker ${maker}`
  })
  return [...new Set(names)].join(' + ')
}

/** @param model what Node says: on ARM Linux it may be empty or "unknown" */
export function processorName(model: string | undefined, cpuinfo: string, architecture: string): string {
  const told = (model ?? '').replace(/\s+/g, ' ').trim()
  if (told !== '' && told.toLowerCase() !== 'unknown') return told
  return armNames(cpuinfo) || `unknown ${architecture}`
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/** Short enough for a column of the table, and all that tells one machine from another. */
export function machineText(machine: Machine): string {
  const { cores, coresThere, processor, memoryGB, system, node, syncMs, load } = machine
  const count = cores === coresThere ? `${cores}` : `${cores} of ${coresThere}`
  const parts = [
    `${count} x ${processor} (${machine.arch})`,
    `${memoryGB} GB`,
    system,
    `Node ${node.replace(/^v/, '')}`,
    `sync ${syncMs.toPrecision(2)} ms`,
    `load ${load.toFixed(1)}`,
  ]
  return parts.join(', ')
}

const pieceBytes = 8_192
const syncs = 50

/** As PostgreSQL writes its log: into room that the file has already, one piece after another. */
async function measureSync(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-sync-'))
  const file = await open(join(folder, 'sync'), 'w')
  try {
    await file.write(Buffer.alloc(pieceBytes * syncs))
    await file.sync()
    const piece = Buffer.alloc(pieceBytes, 1)
    const times: number[] = []
    for (let i = 0; i < syncs; i++) {
      const begun = performance.now()
      await file.write(piece, 0, pieceBytes, i * pieceBytes)
      await file.datasync()
      times.push(performance.now() - begun)
    }
    return median(times)
  } finally {
    await file.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Asked before each row: load and disk are what they are then. */
export async function readMachine(): Promise<Machine> {
  const load = loadavg()[0] ?? 0
  const cpuinfo = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  // A container may have less than the machine; without a limit the answer is 0 or absurdly large.
  const allowed = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return {
    cores: availableParallelism(),
    coresThere: cpus().length,
    processor: processorName(cpus()[0]?.model, cpuinfo, arch()),
    arch: arch(),
    memoryGB: Math.round(Math.min(totalmem(), allowed) / 2 ** 30),
    system: `${platform()} ${release().split('-')[0]}`,
    node: process.version,
    syncMs: await measureSync(),
    load,
  }
}
