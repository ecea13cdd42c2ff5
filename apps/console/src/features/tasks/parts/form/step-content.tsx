import type { ConfigVersion } from '@ithings/contract/features/remote-config.ts'
import { TaskType } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { deviceModelQuery as modelQuery } from '#blocks/device/queries.ts'
import { JsonView } from '#kit/json-view.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { formatTime } from '#kit/time.ts'
import { configVersionsQuery } from '../../queries.ts'
import { ActionContent, PropertyContent } from './command-content.tsx'
import { FormRow, type StepProps } from './form-row.tsx'

const configPath = (productID: string) =>
  `/operationsMonitorings/remoteConfiguration/index?productID=${encodeURIComponent(productID)}`

const optionOf = ({ id, note, createTime, userName }: ConfigVersion, index: number) => ({
  value: id,
  label: `#${id}${note ? ` ${note}` : ''}${index === 0 ? t('（最新）') : ''}`,
  hint: `${formatTime(createTime)} ${userName}`,
})

interface ConfigChoiceProps extends StepProps {
  /** The newest first. */
  versions: readonly ConfigVersion[]
}

/** screens.md 7.1: a version of the product's configuration, the latest at first, with its content. */
function ConfigChoice({ draft: { configID, productID }, change, faults, versions }: ConfigChoiceProps) {
  const latest = versions[0]?.id
  useEffect(() => {
    if (configID === 0 && latest !== undefined) change({ configID: latest })
  }, [configID, latest, change])
  if (latest === undefined) {
    return (
      <StateBlock
        variant="empty"
        title={t('这个产品还没有远程配置')}
        text={t('先保存一个配置版本，再把它下发给设备。')}
        action={
          <Link to={configPath(productID)}>
            <Button>{t('去编写配置')}</Button>
          </Link>
        }
      />
    )
  }
  const chosen = versions.find(({ id }) => id === configID)
  const gone = configID > 0 && !chosen ? [{ value: configID, label: `#${configID}`, hint: t('较早的版本') }] : []
  return (
    <>
      <FormRow field="configID" required faults={faults}>
        {(id) => (
          <Select
            id={id}
            value={configID || null}
            options={[...versions.map(optionOf), ...gone]}
            showSearch={{ optionFilterProp: 'label' }}
            optionRender={({ data }) => (
              <span className="flex between gap-12">
                <span>{data.label}</span>
                <span className="quiet">{data.hint}</span>
              </span>
            )}
            onChange={(next: number | null) => change({ configID: next ?? 0 })}
          />
        )}
      </FormRow>
      {chosen && <JsonView key={chosen.id} value={chosen.content} maxHeight={360} />}
    </>
  )
}

export function StepContent(props: StepProps) {
  const { taskType, productID } = props.draft
  const needsModel = taskType !== TaskType.config
  const model = useQuery({ ...modelQuery(productID), enabled: needsModel })
  const versions = useQuery({ ...configVersionsQuery(productID), enabled: !needsModel })
  if (!needsModel) {
    return (
      <Loaded query={versions} subject={t('远程配置')} rows={6}>
        {(list) => <ConfigChoice {...props} versions={list} />}
      </Loaded>
    )
  }
  const Content = taskType === TaskType.property ? PropertyContent : ActionContent
  return (
    <Loaded query={model} subject={t('物模型')} rows={6}>
      {(known) => <Content {...props} model={known} />}
    </Loaded>
  )
}
