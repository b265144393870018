internal import Gatebook

/// One change of the network, and how far it reaches then.
struct Step {
  let name: String
  let command: String
  let reach: NetworkReach

  /// The loopback device alone leads nowhere.
  ///
  /// Then comes a link with an address, whose way out is removed by its route, its link and its
  /// address.
  static let all = [
    Step(
      name: "a link with an address",
      command: """
        ip link set lo up && ip route add 198.51.100.0/24 dev lo &&
        { ip link add d0 type dummy || ip link add d0 type veth peer name d1; } &&
        { ip link set d1 up || :; } &&
        ip address add 192.0.2.2/24 dev d0 && ip link set d0 up
        """, reach: .attached),
    Step(name: "the only route", command: route, reach: .everywhere),
    Step(name: "the route dropped", command: "ip route del default", reach: .attached),
    Step(name: "the route again", command: route, reach: .everywhere),
    Step(name: "the link dropped", command: "ip link set d0 down", reach: .nowhere),
    Step(name: "all again", command: "ip link set d0 up && \(route)", reach: .everywhere),
    Step(name: "the address dropped", command: "ip address flush dev d0", reach: .nowhere),
  ]

  private static let route = "ip route add default via 192.0.2.1"
}
