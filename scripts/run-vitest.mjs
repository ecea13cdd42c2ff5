// One run of vitest over some of its projects, counted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureReport } from './failure-report.mjs'
import { root } from './repository.mjs'
import { run } from './step.mjs'

/** @typedef {{ passed: number, failed: number }} Count */

/** A step that failed, with what people need to know. */
export class StepFailed extends Error {
  /** @param {string} message @param {Count} count */
  constructor(message, count) {
    super(message)
    this.count = count
  }
}

export const vitestProgram = join(root, 'node_modules/vitest/vitest.mjs')

/** @returns {import('./failure-report.mjs').Report | undefined} */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // It ended before it could write one.
    return undefined
  }
}

/**
 * @param {string[]} projects
 * @param {{ env: NodeJS.ProcessEnv, reportPath: string, onFile: () => void, workers?: number, minutes?: number }} options
 * @returns {Promise<Count>}
 */
export async function runVitest(projects, { env, reportPath, onFile, workers, minutes = 240 }) {
  const args = [
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath}`,
  ]
  const { code, output } = await run(process.execPath, [vitestProgram, ...args], {
    cwd: root,
    env,
    minutes,
    onText: (text) => {
      for (const _ of text.matchAll(/\.test\.tsx? .*\d+ tests?/g)) onFile()
    },
  })
  const report = readReport(reportPath)
  const count = { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 }
  if (code === 0 && count.failed === 0 && count.passed > 0) return count
  throw new StepFailed(failureReport({ output, report, root }), { ...count, failed: Math.max(1, count.failed) })
}
