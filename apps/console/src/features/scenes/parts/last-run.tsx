import { RunResult, type Scene } from '@ithings/contract/features/scenes/info.ts'
import { RunIcon } from '#blocks/scene-runs/run-icon.tsx'
import { TimeText } from '#kit/time-text.tsx'

/** How it went the last time; a scene that never ran says so. */
export function LastRun({ scene }: { scene: Pick<Scene, 'lastRunTime' | 'lastResult' | 'lastText'> }) {
  const { lastRunTime, lastResult, lastText } = scene
  if (lastRunTime === 0) {
    return (
      <span className="last-run top gap-8">
        <RunIcon result={RunResult.missed} />
        <span className="last-run-text">从未执行</span>
      </span>
    )
  }
  const failed = lastResult === RunResult.failed || lastResult === RunResult.partly
  return (
    <span className="last-run top gap-8">
      <RunIcon result={lastResult} />
      <span className="last-run-text">
        <TimeText value={lastRunTime} />
        {lastText && (
          <span className={failed ? 'last-run-why last-run-failed' : 'last-run-why'} title={lastText}>
            {lastText}
          </span>
        )}
      </span>
    </span>
  )
}
