/// The kernel's answer to the question for its routes, part by part: pure, so that it can be tested
/// from tables.
///
/// Each message is a `nlmsghdr` (length, type, flags, number, sender) and what belongs to its type,
/// padded to 4 bytes.
///
/// Source: netlink(7), rtnetlink(7).
struct RouteAnswer {
  /// How far the routes so far reach.
  private(set) var reach = NetworkReach.nowhere
  /// Whether the kernel has said that this was all.
  private(set) var isComplete = false

  private static let headerSize = 16

  /// Takes the next part.
  ///
  /// - Parameter part: What one read brought.
  /// - Returns: `false` when the kernel refuses, or this is not its language.
  mutating func take(_ part: ArraySlice<UInt8>) -> Bool {
    var rest = part
    while !rest.isEmpty, !isComplete {
      guard let length = rest.number(at: 0, as: UInt32.self).map({ Int($0) }),
        let type = rest.number(at: 4, as: UInt16.self), length >= Self.headerSize,
        length <= rest.count
      else { return false }
      switch type {
      case 2: return false  // NLMSG_ERROR
      case 3: isComplete = true  // NLMSG_DONE
      case 24:  // RTM_NEWROUTE
        let content = rest.dropFirst(Self.headerSize).prefix(length - Self.headerSize)
        if let route = KernelRoute(content) { reach = max(reach, route.reach) }
      default: break
      }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// A number in the machine's own order, as the kernel writes it; `nil` beyond the end.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type) -> Number? {
    guard offset >= 0, offset + MemoryLayout<Number>.size <= count else { return nil }
    return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
