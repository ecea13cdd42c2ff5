/** The mock cluster of librdkafka, three brokers in one program (kcat), which reads what arrives there with its own consumer. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { adviceFor, findProgram, mayMiss, programEnv } from '../../../../../../scripts/debian-programs.mjs'

/** Only on a machine that has no package of it; elsewhere a missing one is a failure. */
export const withoutKcat: boolean = findProgram('kcat') === undefined && mayMiss()

export interface MockCluster {
  brokers: string
  /** Lines `partition key value headers`. */
  lines: string[]
  kill(): Promise<void>
}

export async function startMockCluster(topic: string): Promise<MockCluster> {
  const program = findProgram('kcat')
  if (!program) throw new Error(adviceFor('kcat'))
  const mock = ['-b', 'none:1', '-X', 'test.mock.num.brokers=3', '-X', 'check.crcs=true', '-d', 'mock']
  const child = spawn(program, [...mock, '-C', '-u', '-t', topic, '-f', '%p %k %s %h\\n'], { env: programEnv('kcat') })
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  onTestFinished(kill)
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const brokers = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, found] = /bootstrap\.servers=([\d.:,]+)/.exec(line) ?? []
      if (found) resolve(found)
    })
    gone.then(([code]) => reject(new Error(`kcat ended with ${code}`)))
  })
  return { brokers: await brokers, lines, kill }
}
