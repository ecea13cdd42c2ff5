import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, type Group, removeGroupDevices } from '@ithings/contract/features/groups.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Switch, Tooltip } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod'
import { tagsOf } from '#blocks/tags.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { deviceDetailPath } from '#kit/paths.ts'
import { ActButton } from '#kit/rights.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { devicesQuery, useRemoveDevices } from '../queries.ts'
import { AddDevicesDrawer } from './add-devices-drawer.tsx'
import { type MemberFilters, memberColumns, memberFields, memberKey } from './member-columns.tsx'

const urlSchema = z.object({ below: z.enum(['0', '1']) })
const urlDefaults = { below: '1' } as const

function useAskRemove({ groupID, groupName }: Group) {
  const confirm = useConfirm()
  const remove = useRemoveDevices()
  return (list: readonly Device[], onRemoved?: () => void) =>
    confirm({
      title: t('从「{name}」移出 {count} 台设备？', { name: groupName, count: list.length }),
      content: t('设备本身和它所在的其他分组不受影响，之后可以再加回来。'),
      okText: t('移出'),
      onOk: () => remove.mutateAsync({ groupID, list }).then(onRemoved),
      done: t('已移出 {count} 台设备', { count: list.length }),
    })
}

const BelowSwitch = ({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) => (
  <span className="inline-row softer gap-8">
    <Switch size="small" checked={on} aria-label={t('含子分组')} onChange={onChange} />
    <span aria-hidden="true">{t('含子分组')}</span>
  </span>
)

/** Devices of a group and of the groups below it, in and out in bulk. */
export function GroupDevices({ group, isParent }: { group: Group; isParent: boolean }) {
  const navigate = useNavigate()
  const askRemove = useAskRemove(group)
  const [{ below }, setUrl] = useUrlState(urlSchema, urlDefaults, 'd.')
  const phone = usePhone()
  const [adding, setAdding] = useState(false)
  const includeChildren = isParent && below === '1'
  const { groupID, groupName } = group
  const hint = includeChildren ? t('列表含子分组的设备；关闭“含子分组”后才能从本组移出') : undefined
  const add = (
    <ActButton needs={addGroupDevices} icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      {t('添加设备')}
    </ActButton>
  )
  return (
    <>
      <ListPage<Device, MemberFilters>
        embedded
        title={t('分组设备')}
        urlPrefix="d."
        filters={memberFields}
        columns={memberColumns(phone)}
        rowKey={memberKey}
        storageKey="group-devices"
        query={({ page, filters: { tags, ...rest } }) =>
          devicesQuery({ ...rest, ...tagsOf(tags), page, inGroupID: groupID, includeChildren })
        }
        exportName={t('分组-{name}', { name: groupName })}
        toolbar={
          <span className="gap-8-16 inline-row wrap">
            {add}
            {isParent && (
              <BelowSwitch
                on={includeChildren}
                onChange={(on) => setUrl({ below: on ? '1' : '0' }, { replace: true })}
              />
            )}
          </span>
        }
        selection={{
          unit: t('台'),
          needs: [removeGroupDevices],
          actions: (devices, clear) => (
            <Tooltip title={hint}>
              <Button
                type="text"
                icon={<MinusCircleOutlined />}
                disabled={includeChildren}
                onClick={() => askRemove(devices, clear)}
              >
                {t('从分组移出')}
              </Button>
            </Tooltip>
          ),
        }}
        rowActions={(device) => [
          { key: 'read', label: t('查看'), onClick: () => void navigate(deviceDetailPath(device)) },
          {
            key: 'remove',
            label: t('移出'),
            needs: removeGroupDevices,
            disabled: includeChildren,
            ...(hint && { hint }),
            onClick: () => askRemove([device]),
          },
        ]}
        empty={{
          title: t('这个分组里还没有设备'),
          text: group.totalCount > 0 ? t('子分组里有设备，打开“含子分组”查看。') : t('一台设备可以在几个分组里。'),
          action: add,
        }}
      />
      <AddDevicesDrawer group={group} open={adding} onClose={() => setAdding(false)} />
    </>
  )
}
