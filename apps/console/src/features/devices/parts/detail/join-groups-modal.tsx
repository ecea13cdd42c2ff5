import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Modal, TreeSelect } from 'antd'
import { useId, useMemo, useState } from 'react'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { groupsOfDeviceQuery, useAddToGroup } from '../../queries.ts'
import './join-groups.css'
import { groupChoices } from './group-choices.ts'

interface JoinGroupsModalProps {
  device: Device
  open: boolean
  onClose: () => void
}

/** Several groups at once; a group that refuses stays chosen and is named. */
export function JoinGroupsModal({ device, open, onClose }: JoinGroupsModalProps) {
  const phone = usePhone()
  const { message } = App.useApp()
  const id = useId()
  const all = useQuery(allGroupsQuery)
  const own = useQuery(groupsOfDeviceQuery(device))
  const join = useAddToGroup()
  const [chosen, setChosen] = useState<string[]>([])
  const [state, setState] = useState<{ busy: boolean; failures: string[] }>({ busy: false, failures: [] })
  const choices = useMemo(
    () => groupChoices(all.data ?? [], new Set(own.data?.list.map(({ groupID }) => groupID))),
    [all.data, own.data],
  )
  const nameOf = (groupID: string) => all.data?.find((group) => group.groupID === groupID)?.groupName ?? groupID

  const save = async () => {
    setState({ busy: true, failures: [] })
    const refused = new Map<string, string>()
    for (const groupID of chosen) {
      try {
        await join.mutateAsync({ groupID, list: [device] })
      } catch (error) {
        refused.set(groupID, `${nameOf(groupID)}：${describeError(error).reason}`)
      }
    }
    setState({ busy: false, failures: [...refused.values()] })
    setChosen([...refused.keys()])
    if (refused.size > 0) return
    void message.success(`已加入 ${chosen.length} 个分组`)
    onClose()
  }

  return (
    <Modal
      title="加入分组"
      open={open}
      width={phone ? '100%' : 560}
      className={phone ? 'form-modal form-modal-phone' : 'form-modal'}
      destroyOnHidden
      onCancel={() => !state.busy && onClose()}
      footer={
        <div className="join-buttons flex gap-8">
          <Button disabled={state.busy} onClick={onClose}>
            取消
          </Button>
          <Button type="primary" loading={state.busy} disabled={chosen.length === 0} onClick={() => void save()}>
            加入
          </Button>
        </div>
      }
    >
      <div className="join-body">
        <label htmlFor={id}>设备可以同时在几个分组里，原有的分组不变。</label>
        <TreeSelect
          id={id}
          multiple
          style={{ width: '100%' }}
          placeholder="选择分组，可多选"
          showSearch={{ treeNodeFilterProp: 'label' }}
          treeDefaultExpandAll
          loading={all.isPending}
          disabled={state.busy}
          treeData={choices}
          value={chosen}
          onChange={(picked: string[]) => setChosen(picked)}
          notFoundContent={all.isPending ? '正在读取分组' : '还没有分组'}
        />
        {all.isError && (
          <Alert
            type="error"
            showIcon
            title={`分组读取失败：${describeError(all.error).reason}`}
            action={
              <Button size="small" onClick={() => void all.refetch()}>
                重试
              </Button>
            }
          />
        )}
        {state.failures.length > 0 && <Alert type="error" showIcon title={`未加入 ${state.failures.join('；')}`} />}
      </div>
    </Modal>
  )
}
