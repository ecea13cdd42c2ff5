/** Which scenes the message started or nearly did, and why not. */
import { CheckCircleFilled, MinusCircleFilled } from '@ant-design/icons'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readTrace } from '@ithings/contract/features/devices/msg.ts'
import { Link } from 'react-router'
import { scenePath } from '#blocks/scene-paths.ts'

type TracedScene = DataOf<typeof readTrace>['scenes'][number]

/** A scene may be asked by several of its triggers: the run, or the words of the miss, tell them apart. */
const keyOf = ({ sceneID, runID, text }: TracedScene) => `${sceneID} ${runID} ${text}`

export function TracedScenes({ scenes }: { scenes: readonly TracedScene[] }) {
  if (scenes.length === 0) return null
  return (
    <>
      <h3>场景联动</h3>
      <ul className="bare-list">
        {scenes.map((scene) => (
          <li key={keyOf(scene)} className="trace-scene">
            {scene.runID === '' ? (
              <MinusCircleFilled className="trace-scene-missed" role="img" aria-label="未触发" />
            ) : (
              <CheckCircleFilled role="img" aria-label="已触发" />
            )}
            <Link to={scenePath(scene.sceneID)}>{scene.sceneName}</Link>
            <span
              className={scene.runID !== '' && !scene.ok ? 'trace-scene-text trace-scene-failed' : 'trace-scene-text'}
            >
              {scene.text}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
