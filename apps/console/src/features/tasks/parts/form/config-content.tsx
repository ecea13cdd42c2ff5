import type { ConfigVersion } from '@ithings/contract/features/remote-config.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Select, Skeleton } from 'antd'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { JsonView } from '#kit/json-view.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { formatTime } from '#kit/time.ts'
import { configVersionsQuery } from '../../queries.ts'
import { FormRow } from './form-row.tsx'
import type { StepProps } from './step-props.ts'

const configPath = (productID: string) =>
  `/operationsMonitorings/remoteConfiguration/index?productID=${encodeURIComponent(productID)}`

const optionOf = ({ id, note, createTime, userName }: ConfigVersion, index: number) => ({
  value: id,
  label: `#${id}${note ? ` ${note}` : ''}${index === 0 ? '（最新）' : ''}`,
  hint: `${formatTime(createTime)} ${userName}`,
})

/** screens.md 7.1: a version of the product's configuration, the latest at first, with its content. */
export function ConfigContent({ draft, change, faults }: StepProps) {
  const versions = useQuery(configVersionsQuery(draft.productID))
  const list = versions.data
  const latest = list?.[0]?.id
  const { configID } = draft
  useEffect(() => {
    if (configID === 0 && latest !== undefined) change({ configID: latest })
  }, [configID, latest, change])
  if (versions.isError && !list) {
    return (
      <ErrorState
        subject="远程配置"
        error={versions.error}
        onRetry={() => void versions.refetch()}
        retrying={versions.isFetching}
      />
    )
  }
  if (!list) return <Skeleton active paragraph={{ rows: 6 }} />
  if (list.length === 0) {
    return (
      <StateBlock
        variant="empty"
        title="这个产品还没有远程配置"
        text="先保存一个配置版本，再把它下发给设备。"
        action={
          <Link to={configPath(draft.productID)}>
            <Button>去编写配置</Button>
          </Link>
        }
      />
    )
  }
  const chosen = list.find(({ id }) => id === configID)
  const gone = configID > 0 && !chosen ? [{ value: configID, label: `#${configID}`, hint: '较早的版本' }] : []
  return (
    <>
      <FormRow field="configID" required faults={faults}>
        {(id) => (
          <Select
            id={id}
            value={configID || null}
            options={[...list.map(optionOf), ...gone]}
            showSearch={{ optionFilterProp: 'label' }}
            optionRender={({ data }) => (
              <span className="picker-option">
                <span>{data.label}</span>
                <span className="picker-hint">{data.hint}</span>
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
