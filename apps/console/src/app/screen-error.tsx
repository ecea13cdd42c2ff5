/** A screen that failed to load or to draw, in its place: the rest of the page stays usable. */
import { Button } from 'antd'
import { useRouteError } from 'react-router'
import { StateBlock } from '#kit/states/state-block.tsx'
import { ChunkLoadError } from './lazy-screen.ts'
import './shell/pages.css'

export function ScreenError() {
  const error = useRouteError()
  const chunk = error instanceof ChunkLoadError
  const reason = error instanceof Error ? error.message : String(error)
  const cause = chunk && error.cause instanceof Error ? error.cause.message : undefined
  return (
    <main className="lone-page row">
      <StateBlock
        variant="error"
        title={chunk ? '页面加载失败' : '页面出错了'}
        text={
          chunk
            ? `${reason}。可能是网络中断，或系统刚刚升级，刷新后通常可以恢复。`
            : `显示这个页面时发生错误：${reason}。刷新后仍然出现请联系管理员。`
        }
        extra={cause && <span className="state-request-id">{cause}</span>}
        action={
          <Button type="primary" onClick={() => window.location.reload()}>
            刷新重试
          </Button>
        }
      />
    </main>
  )
}
