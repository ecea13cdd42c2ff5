// What a run of vitest that failed has to say: the names, the files, the reasons, and how to run each alone.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {object} Report what vitest's JSON reporter writes
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ name: string, status: string, message?: string,
 *   assertionResults: { status: string, title: string, fullName: string, failureMessages?: string[] }[] }[]} testResults
 */

const reasonLines = 20
const indented = (text) => text.replace(/^/gm, '    ')
const firstLines = (text, lines) => stripVTControlCharacters(text).trim().split('\n').slice(0, lines).join('\n')
/** For a shell: a name in double quotes, in which no shell looks for commands. */
const quoted = (name) => `"${name.replaceAll(/["$`\\]/g, '.')}"`
/** vitest takes the name for a pattern. */
const pattern = (name) => name.replaceAll(/[.*+?^{}()|[\]\\/]/g, '.')

/** @param {string} file @param {Report['testResults'][number]} result */
function failuresOfFile(file, { message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0)
    return [`FAILED ${file}\n${indented(firstLines(message ?? '', reasonLines))}\n  alone: npm test -- ${file}`]
  return failed.map(({ title, fullName, failureMessages = [] }) =>
    [
      `FAILED ${file} › ${fullName}`,
      ...failureMessages.map((reason) => indented(firstLines(reason, reasonLines))),
      `  alone: npm test -- ${file} -t ${quoted(pattern(title))}`,
    ].join('\n'),
  )
}

/** Errors outside of tests make vitest fail although no test did; it prints them at the end of its output. */
function strayErrors(output) {
  const plain = stripVTControlCharacters(output)
  const at = plain.indexOf('Unhandled Error')
  return at < 0 ? [] : [firstLines(plain.slice(at), 60)]
}

/**
 * @param {{ output: string, report: Report | undefined, root: string }} run
 * @returns {string} for people, most helpful last
 */
export function failureReport({ output, report, root }) {
  if (!report)
    return `${stripVTControlCharacters(output).trim().split('\n').slice(-60).join('\n')}\n\nvitest ended without a report`
  const failures = report.testResults
    .filter(
      ({ status, assertionResults }) => status === 'failed' || assertionResults.some((one) => one.status === 'failed'),
    )
    .flatMap((result) => failuresOfFile(relative(root, result.name).replaceAll('\\', '/'), result))
  const nothing = report.numPassedTests + report.numFailedTests === 0 ? ['no test was run'] : []
  return [...strayErrors(output), ...nothing, ...failures].join('\n\n')
}
