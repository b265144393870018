/// Does the same with several items at once; a caller that is cancelled cancels all of it.
///
/// - Parameters:
///   - items: The items.
///   - most: How many are under way at a time.
///   - isolation: The actor whose objects the work uses: the caller's.
///   - work: What is done with an item.
/// - Returns: The results, in the order of the items.
func together<Item: Sendable, Value: Sendable>(
  _ items: [Item], most: Int, isolation: isolated (any Actor)? = #isolation,
  _ work: @escaping (Item) async -> Value
) async -> [Value] {
  var tasks: [Task<Value, Never>] = []
  for item in items {
    // Each waits for the one that is so many places before it.
    let former = tasks.count >= most ? tasks[tasks.count - most] : nil
    tasks.append(
      startTask {
        _ = await former?.value
        return await work(item)
      })
  }
  return await withTaskCancellationHandler { [tasks] in
    var results: [Value] = []
    for task in tasks { results.append(await task.value) }
    return results
  } onCancel: { [tasks] in
    for task in tasks { task.cancel() }
  }
}
