import { Alert } from 'antd'
import { describeError } from '#kit/states/describe-error.ts'
import type { MoveResult } from '../menu-moves.ts'

/** What was saved and what was not, by name and reason; the rest is still in the draft. */
export function ArrangeResult({ result, left }: { result: MoveResult; left: number }) {
  if (result.failures.length === 0) return null
  return (
    <Alert
      className="menu-form-hint"
      type="error"
      showIcon
      title={`${result.saved} 项已保存，${result.failures.length} 项没有保存`}
      description={
        <>
          <ul className="arrange-failures">
            {result.failures.map(({ menu, error }) => (
              <li key={menu.id}>
                {menu.name}：{describeError(error).reason}
              </li>
            ))}
          </ul>
          已读取最新内容。{left > 0 ? `还有 ${left} 项调整保留着，可以再次保存或还原。` : '现在的结构与你的调整一致。'}
        </>
      }
    />
  )
}
