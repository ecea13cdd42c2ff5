import { SendOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { ActionDirection, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { ParamsForm } from '../model-form/params-form.tsx'
import { checkParams, type ValueIssues } from '../model-form/value-issues.ts'
import type { SendFormProps } from './use-send.tsx'

interface Choice {
  actionID: string | undefined
  values: Record<string, unknown>
}

function startChoice(draft: SendFormProps['draft'], model: ThingModel): Choice {
  const known = model.actions.some(({ identifier }) => identifier === draft?.target)
  if (draft?.kind === 'action' && known) return { actionID: draft.target, values: JSON.parse(draft.data) }
  return { actionID: undefined, values: {} }
}

/** screens.md 18 行为调试: an action of the model with its input. */
export function ActionSend({ model, draft, sender, actions }: SendFormProps) {
  const id = useId()
  const [{ actionID, values }, setChoice] = useState(() => startChoice(draft, model))
  const [issues, setIssues] = useState<ValueIssues>(new Map())
  // Up actions are called by the device (thing-model.md 1).
  const callable = model.actions.filter(({ dir }) => dir === ActionDirection.down)
  const action = callable.find(({ identifier }) => identifier === actionID)
  const request = action && ({ kind: 'action', target: action.identifier, data: JSON.stringify(values) } as const)

  const choose = (identifier: string) => {
    setIssues(new Map())
    // Nobody has said with what yet: an invented input would be called with one click.
    setChoice({ actionID: identifier, values: {} })
  }
  const send = () => {
    if (!action || !request) return
    const found = checkParams(action.input, values)
    setIssues(found)
    if (found.size === 0) sender.send(request)
  }
  return (
    <>
      <div className="column gap-16">
        <div className="column softer gap-4">
          <label htmlFor={id}>{t('行为')}</label>
          <Select
            id={id}
            placeholder={callable.length > 0 ? t('选择要调用的行为') : t('物模型没有可调用的行为')}
            disabled={callable.length === 0}
            value={action?.identifier}
            showSearch={{ optionFilterProp: 'label' }}
            options={callable.map(({ identifier, name }) => ({ value: identifier, label: `${name} ${identifier}` }))}
            onChange={choose}
          />
        </div>
        {action &&
          (action.input.length > 0 ? (
            <ParamsForm
              params={action.input}
              values={values}
              onChange={(next) => {
                setChoice({ actionID, values: next })
                if (issues.size > 0) setIssues(checkParams(action.input, next))
              }}
              issues={issues}
            />
          ) : (
            <p className="meta">{t('这个行为没有输入参数。')}</p>
          ))}
      </div>
      <div className="flex wrap at-end above-16 gap-8">
        {actions(request)}
        <Button type="primary" icon={<SendOutlined />} disabled={!action} loading={sender.pending} onClick={send}>
          {t('调用')}
        </Button>
      </div>
    </>
  )
}
