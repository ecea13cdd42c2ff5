import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { TerminalError } from '#terminal.ts'
import { logTail } from './log-file.ts'
import { isAlive, isPostmasterOf, isTaken, type PidFile, readPidFile } from './pid-file.ts'
import {
  type Address,
  type Cluster,
  chooseAddress,
  type Launched,
  launch,
  removeShortSocketDir,
  startPatience,
} from './postmaster.ts'

type Wish = {
  tcp: boolean
  /** The address clients already know; kept over a restart. */
  wanted: Address | undefined
  answers(address: Address): Promise<Error | undefined>
  log: { info(message: Phrase): void }
}

const pollEvery = 50
const sayAgainAfter = 10_000
const orphansEndWithin = 10_000

/** Finds the server of this cluster running (then it is adopted) or starts it; returns when it answers. */
export async function ensureRunning(cluster: Cluster, wish: Wish): Promise<{ address: Address; adopted: boolean }> {
  const found = await readPidFile(cluster.dir)
  if (found) {
    const address = await adopt(cluster, found, wish)
    if (address) return { address, adopted: true }
    await clearAfterDead(cluster, found, wish)
  }
  const address = wish.wanted ?? (await chooseAddress(cluster, wish.tcp))
  const deadline = Date.now() + orphansEndWithin
  for (;;) {
    const launched = await launch(cluster, address)
    if (await ready(cluster, launched, address, wish)) return { address, adopted: false }
    // It ended because another process was faster: take that one.
    const winner = await readPidFile(cluster.dir)
    const taken = winner && winner.pid !== launched.pid ? await adopt(cluster, winner, wish) : undefined
    if (taken) return { address: taken, adopted: true }
    const reason = await logTail(cluster.logPath)
    // After kill -9 of the first process its children need a moment to notice.
    if (!reason.includes('pre-existing shared memory block') || Date.now() > deadline) {
      throw new TerminalError(
        phrase('PostgreSQL 没有启动。{path} 的末尾：\n{reason}', { path: cluster.logPath, reason }),
      )
    }
    await pause(4 * pollEvery)
  }
}

export function addressOf({ listens, port, socketDir }: PidFile): Address {
  return listens ? { port } : { socketDir, port }
}

/** The address of the running server once it answers; undefined when there is none (any more). */
async function adopt(cluster: Cluster, found: PidFile, wish: Wish): Promise<Address | undefined> {
  const patient = patienceTeller(cluster, wish)
  let refusal: Error | undefined
  // A server that is just starting writes its pid first and the folder of its socket a moment later.
  let file = found
  while (patient()) {
    refusal = await wish.answers(addressOf(file))
    if (!refusal) return addressOf(file)
    // It may be starting or stopping: as long as it lives, wait. Of a dead one another server may have the port by now.
    if (!(await isPostmasterOf(found.pid, cluster.dir))) return undefined
    if (isWrongPassword(refusal))
      throw new TerminalError(phrase('{home} 里的 PostgreSQL 不接受我们的密码', { home: cluster.home }), {
        cause: refusal,
      })
    const now = await readPidFile(cluster.dir)
    if (!now && !isAlive(found.pid)) return undefined
    if (now?.pid === found.pid) file = now
    await pause(pollEvery)
  }
  throw new TerminalError(
    phrase('{home} 里的 PostgreSQL（进程 {pid}）没有响应', { home: cluster.home, pid: found.pid }),
    { cause: refusal },
  )
}

/**
 * The files of a dead server. PostgreSQL copes with them unless the number in them is still in use: by another
 * program since a reboot, or by the dead process itself when nobody collected it.
 */
async function clearAfterDead(cluster: Cluster, found: PidFile, wish: Wish): Promise<void> {
  const now = await readPidFile(cluster.dir)
  if (now?.pid === found.pid && isTaken(found.pid)) {
    const socket = join(found.socketDir, `.s.PGSQL.${found.port}`)
    const leftovers = [join(cluster.dir, 'postmaster.pid'), ...(found.socketDir ? [socket, `${socket}.lock`] : [])]
    for (const path of leftovers) await rm(path, { force: true })
  }
  const kept = wish.wanted && 'socketDir' in wish.wanted && wish.wanted.socketDir === found.socketDir
  if (!kept) await removeShortSocketDir(found.socketDir)
}

async function ready(cluster: Cluster, launched: Launched, address: Address, wish: Wish): Promise<boolean> {
  const patient = patienceTeller(cluster, wish)
  while (patient()) {
    if (launched.failed()) return false
    if (!(await wish.answers(address))) return true
    await pause(pollEvery)
  }
  return false
}

/** Bounds a wait and says now and then that it goes on. */
function patienceTeller(cluster: Cluster, wish: Wish): () => boolean {
  const started = Date.now()
  let said = started
  return () => {
    const now = Date.now()
    if (now - said > sayAgainAfter) {
      said = now
      const seconds = Math.round((now - started) / 1000)
      wish.log.info(phrase('正在等待 {home} 里的 PostgreSQL（{seconds} 秒）', { home: cluster.home, seconds }))
    }
    return now - started < startPatience
  }
}

export const isWrongPassword = (error: Error) => (error as { code?: string }).code === '28P01'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
