export function TaskDetail({ taskID }: { taskID: number }) {
  return <div>{taskID}</div>
}
