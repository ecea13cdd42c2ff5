import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { latencyText } from '#blocks/command-history/command-words.ts'
import { TypedParams } from '#blocks/typed-value/typed-value.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import type { CommandResult } from './use-command.ts'

/** What came back, until the next command or until it is closed (screens.md 6.2). */
export function CommandResultView({ result, onClose }: { result: CommandResult; onClose: () => void }) {
  const { outcome, output, clientToken } = result
  return (
    <section className="command-result" aria-label="下发结果" aria-live="polite">
      <div className="command-line">
        <StatusTag filled tone={outcome.tone} text={outcome.label} />
        <span className="command-result-title grow anywhere">{result.title}</span>
        {result.took !== undefined && <span className="meta">{latencyText(result.took)}</span>}
        <Button type="text" size="small" icon={<CloseOutlined />} aria-label="关闭结果" onClick={onClose} />
      </div>
      {outcome.text && <p className={`command-why tone-${outcome.tone}`}>{outcome.text}</p>}
      {output && outcome.tone === 'success' && output.params.length > 0 && (
        <TypedParams params={output.params} values={output.values} />
      )}
      {clientToken && (
        <div className="meta command-token">
          请求编号 <Copyable text={clientToken} maxWidth={180} />
        </div>
      )}
    </section>
  )
}
