/// One route as the kernel tells it: a `rtmsg` and its attributes.
///
/// Source: rtnetlink(7), RTM_NEWROUTE.
struct KernelRoute {
  /// How far it reaches.
  let reach: NetworkReach

  /// Reads a message without its `nlmsghdr`; `nil` where there is no whole `rtmsg`.
  init?(_ message: ArraySlice<UInt8>) {
    guard message.count >= Self.headSize else { return nil }
    let bytes = message.prefix(Self.headSize).map(\.self)
    let flags = message.number(at: 8, as: UInt32.self) ?? 0
    let attributes = Attributes(message.dropFirst(Self.headSize))
    let isDead = flags & Self.deadFlags != 0
    guard Self.families.contains(bytes[0]), bytes[7] == Self.unicast, flags & Self.cloned == 0,
      !isDead, attributes.leavesTheMachine, !attributes.isLinkLocal(family: bytes[0])
    else {
      reach = .nowhere
      return
    }
    // rtm_dst_len: a route to 0 bits of an address is the default route.
    reach = bytes[1] == 0 ? .everywhere : .attached
  }

  /// `struct rtmsg`: family, the lengths of destination and source, tos, table, protocol, scope,
  /// type, flags.
  private static let headSize = 12
  /// AF_INET and AF_INET6; the others are of multicast.
  private static let families: [UInt8] = [2, 10]
  /// RTN_UNICAST; local, broadcast, multicast, unreachable and blackhole are other types.
  private static let unicast: UInt8 = 1
  /// RTM_F_CLONED: an entry of a cache.
  private static let cloned: UInt32 = 0x200
  /// RTNH_F_DEAD and RTNH_F_LINKDOWN: no carrier.
  private static let deadFlags: UInt32 = 0x1 | 0x10
}

extension KernelRoute {
  /// The attributes after a `rtmsg`.
  private struct Attributes {
    private var destination: ArraySlice<UInt8> = []
    private var device: Int32?
    private var hops: ArraySlice<UInt8>?

    /// Reads `rtattr`s: a length with the head's 4 bytes, a type, the value, padded to 4 bytes.
    init(_ bytes: ArraySlice<UInt8>) {
      var rest = bytes
      while let length = rest.number(at: 0, as: UInt16.self).map({ Int($0) }),
        let type = rest.number(at: 2, as: UInt16.self), length >= 4, length <= rest.count
      {
        let value = rest.dropFirst(4).prefix(length - 4)
        switch type {
        case 1: destination = value  // RTA_DST
        case 4: device = value.number(at: 0, as: Int32.self)  // RTA_OIF
        case 9: hops = value  // RTA_MULTIPATH
        default: break
        }
        rest = rest.dropFirst((length + 3) & ~3)
      }
    }

    /// Whether a device other than the loopback one carries it.
    ///
    /// That one is number 1 in every network namespace (LOOPBACK_IFINDEX).
    var leavesTheMachine: Bool {
      if let hops { return Self.isAnyAlive(hops) }
      // A route by a next-hop object may name none.
      return device != 1
    }

    /// Whether one way of several still carries.
    ///
    /// Each is a `rtnexthop`: its length, flags, hops, device.
    private static func isAnyAlive(_ hops: ArraySlice<UInt8>) -> Bool {
      var rest = hops
      while let length = rest.number(at: 0, as: UInt16.self).map({ Int($0) }), length >= 8,
        length <= rest.count, let flags = rest.number(at: 2, as: UInt8.self),
        let device = rest.number(at: 4, as: Int32.self)
      {
        if UInt32(flags) & KernelRoute.deadFlags == 0, device != 1 { return true }
        rest = rest.dropFirst((length + 3) & ~3)
      }
      return false
    }

    /// Whether it leads to addresses of one link alone: 169.254.0.0/16 (RFC 3927) or fe80::/10
    /// (RFC 4291 section 2.5.6).
    func isLinkLocal(family: UInt8) -> Bool {
      let start = destination.prefix(2).map(\.self)
      guard start.count == 2 else { return false }
      return family == 2
        ? start == [169, 254] : start[0] == 0xFE && start[1] & 0xC0 == 0x80
    }
  }
}
