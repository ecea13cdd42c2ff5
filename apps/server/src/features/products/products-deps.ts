import type { Common } from '#common-deps.ts'
import type { FilesDeps } from '#features/files/door.ts'
import type { Gate } from '#http/route.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { ModelReferences } from './model-references.ts'

/** What the operations on products need; made once in app/. */
export interface ProductsDeps extends Common<'db' | 'clock' | 'signal'> {
  files: FilesDeps
  /** For scripts that are tried or checked, apart from the threads that serve devices. */
  scripts: ScriptRunner
  references: ModelReferences
  allows: Gate['allows']
}
