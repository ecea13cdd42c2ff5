import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { Copyable } from '#kit/copyable.tsx'
import type { FormDialog } from '#kit/form/use-form-dialog.ts'

/** Nothing to press until something was changed; a refused save says why right above the buttons. */
export function SettingFooter({ dialog, extra }: { dialog: FormDialog; extra: ReactNode }) {
  const { name, busy, dirty, failure, problems, close } = dialog
  return (
    <div className="form-footer setting-footer">
      {failure && (
        <Alert
          type="error"
          showIcon
          title={failure.reason}
          description={
            failure.requestID && (
              <span className="meta">
                请求编号 <Copyable text={failure.requestID} />
              </span>
            )
          }
        />
      )}
      <div className="form-buttons">
        <Button type="primary" htmlType="submit" form={name} loading={busy} disabled={!dirty || busy}>
          保存
        </Button>
        <Button onClick={close} disabled={!dirty || busy}>
          放弃修改
        </Button>
        {dirty && problems === 0 && <span className="form-dirty">未保存</span>}
        {problems > 0 && (
          <span className="form-problems" role="status">
            {problems} 处待修正
          </span>
        )}
        {extra}
      </div>
    </div>
  )
}
