import { Skeleton } from 'antd'

/** The outline of the editor until the scene is read. */
export function EditorWait() {
  const sheet = (rows: number) => (
    <div className="sheet">
      <Skeleton active title={false} paragraph={{ rows }} />
    </div>
  )
  return (
    <div className="scene-editor scene-wait" aria-busy="true">
      <div className="scene-header">
        <Skeleton.Input active />
      </div>
      <div className="scene-columns">
        <div className="scene-rule-column column shrink gap-12">
          {sheet(2)}
          {sheet(3)}
          {sheet(2)}
          {sheet(5)}
        </div>
        <div className="column shrink gap-12">
          <div className="sheet scene-wait-trial" />
          <div className="sheet scene-wait-trial" />
          {sheet(8)}
        </div>
      </div>
    </div>
  )
}
