import { availableParallelism, totalmem } from 'node:os'

const megabyte = 1024 * 1024

/** postgresql.conf, written at every start, so that new defaults reach old clusters. ALTER SYSTEM still wins over it. */
export function settingsText(extra: Record<string, string>): string {
  const settings: Record<string, string> = {
    // decisions.md 4.1: acknowledged means stored
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    // Memory is taken as pages are used: a small fleet does not pay for it, a million devices need it (goals.md "Lists").
    shared_buffers: `${Math.min(1024, Math.max(128, Math.floor(totalmem() / megabyte / 8)))}MB`,
    // Pages that are not in there are in the system's cache: handing such reads to other processes costs more than reading.
    io_method: 'sync',
    effective_cache_size: `${Math.max(256, Math.floor(totalmem() / megabyte / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    random_page_cost: '1.1',
    // With two cores a parallel query only takes the second core away from the message corridor.
    max_parallel_workers_per_gather: availableParallelism() > 4 ? '2' : '0',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_min_messages: 'warning',
    lc_messages: 'C',
    ...extra,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  return `# Written by the server at every start. For settings of your own use ALTER SYSTEM.\n${lines.join('\n')}\n`
}
