"""What is shown of each function's result, in what order. What is named nowhere is found under `full`."""

from __future__ import annotations

from ...tools.core.records import dataclass


@dataclass(frozen=True)
class Rows:
    """A list of rows. Its columns are paths in a row."""

    path: str
    columns: str
    most: int = 5
    """How many of them are shown."""
    by: str = ""
    """The largest in this column first; else in their order."""
    only: str = ""
    """Rows that are `applicable`, or a `problem`; `alone`: only where the list is of one."""


Shown = tuple[str | Rows, ...]
"""Fields, several in one text, and rows."""

_LAYERS_TIME = Rows("layers", "op latency_ms energy_uj", 3, "latency_ms")
_RANKED = "verdict latency_ms energy_uj power_mw arena_bytes price_usd bound tied reasons"

SHOWN: dict[str, Shown] = {
    "parse_model": (
        "format dtype parameter_count parameter_bytes file_bytes macs op_count",
        Rows("inputs", "shape dtype", 3), Rows("outputs", "shape dtype", 3),
        Rows("operators", "op_count", 12), Rows("layers", "op macs parameter_bytes output_bytes", 5, "macs"),
        "not_counted history",
    ),
    "estimate_performance": (
        "dtype latency_ms inferences_per_second at_once at_once_per_second per_image_ms energy_uj power_mw "
        "cycles cpu_only_layers",
        _LAYERS_TIME, "stands_on",
    ),
    "check_constraints": (
        "verdict", Rows("checks", "verdict demand bound gap statement", 12),
        Rows("checks[*].levers", "change before after closes_gap effort", 4), "fit.statement",
    ),
    "plan_memory": (
        "arena arena_nonpersistent_bytes arena_persistent_bytes lower_bound_bytes flash fits why_not planner "
        "peak_layer.index peak_layer.op spill_ms",
        Rows("peak_tensors", "bytes", 4), Rows("code_parts", "bytes", 8, "bytes"),
        Rows("regions", "size_bytes used_bytes holds", 9),
        Rows("placements", "arena weights latency_ms added_ms reason", 3),
    ),
    "best_memory_order": (
        "before.arena_bytes after.arena_bytes saved_by_order_bytes saved_by_packing_bytes moved_ops "
        "order_is_proven advice",
    ),
    "analyze_roofline": (
        "dtype bound bound_detail bound_shares.compute bound_shares.memory bound_shares.overhead op_shares "
        "arithmetic_intensity ridge_point compute_utilization memory_utilization peak_gops bandwidth_gb_s "
        "memory_level latency_ms",
        Rows("layers", "op bound latency_ms share arithmetic_intensity", 5, "latency_ms"),
    ),
    "score_compatibility": (
        "verdict score supported_ops optimized_ops fallback_ops unsupported_ops unknown_ops transfers_bytes "
        "transfer_ms fallback_cost",
        Rows("penalties", "points reason", 4), Rows("segments", "processor first last ops macs_share", 6),
        Rows("ops", "op supported runs processor reason remedy", 6, only="problem"), "remedies",
    ),
    "trace_timeline": (
        "arena_bytes arena_nonpersistent_bytes peak.index peak.op peak.live_bytes latency_ms fits why_not",
        Rows("peak.buffers", "bytes first_op last_op", 4),
        Rows("ops", "op live_bytes latency_ms begins_ms", 40),
        Rows("savings", "after.arena_bytes gain.ram after.latency_ms effort", 4),
    ),
    "simulate_optimizations": (
        "goal fit.statement fit.feasible fit.changes.effort",
        Rows("options", "after.latency_ms after.energy_uj after.arena_bytes after.flash_bytes gain.{goal} "
             "effort accuracy_risk", 10, only="applicable"),
        Rows("options", "reason", 3, only="alone"),
        "options[#0].before.latency_ms options[#0].before.energy_uj options[#0].before.arena_bytes "
        "options[#0].before.flash_bytes combined.technique combined.after.latency_ms "
        "combined.after.arena_bytes combined.effort",
        Rows("fit.relaxations", "demanded needed unit percent", 3),
    ),
    "find_limit": (
        "variable feasible value binding statement at.verdict at.figures.latency_ms at.figures.energy_uj "
        "at.figures.arena_bytes at.figures.flash_bytes beyond.value beyond.fails beyond.reasons",
        Rows("relaxations", "demanded needed unit percent", 4), "fit.statement",
    ),
    "sweep_frequency": (
        Rows("steps", "latency_ms power_mw energy_uj energy_delay meets_limits", 8),
        "best_energy_mhz best_energy_delay_mhz lowest_clock_mhz power_origin",
    ),
    "recommend_hardware": (
        "passing unknown failing", Rows("ranking", f"rank {_RANKED}", 8),
        Rows("relaxations", "demanded needed unit percent admits", 4),
        Rows("changes", "effort count admits", 4),
    ),
    "recommend_model": (
        "passing unknown failing",
        Rows("ranking", "rank verdict accuracy metric dataset precision dtype latency_ms arena_bytes licence "
             "reasons", 8),
    ),
    "compare_deployments": (
        Rows("differences", "winner tied_with", 6), Rows("causes", "place slower_by why", 11),
    ),
    "rank_generation": (
        "model target min_tokens_per_s max_price_usd context batch passing unknown failing",
        Rows("ranking", "rank model verdict session_tokens_per_s weights total_bytes ram_bytes max_context "
             "context_bound price_usd reason", 8),
    ),
    "estimate_energy_budget": (
        "verdict statement rate_hz active_share latency_ms energy_uj average_power_mw compute_power_mw "
        "sleep_current_ua sensor charge_mah battery.battery battery.capacity_mah battery.nominal_v "
        "battery.life_days battery.most_days battery.nonstop_days missing",
    ),
    "estimate_workload": (
        "verdict statement demanded_per_second inferences_per_second load devices_needed sites "
        "devices_in_all best_batch streams_served longest_wait_ms items duration_h period_h "
        "average_power_mw power_in_all_mw energy_wh computing_wh cost_energy "
        "rent_per_hour rent_offer cost_rent cost_devices cost_in_all "
        "cost_per_million per_currency pays_off_h missing",
    ),
    "evidence": (
        "akin_by measurements networks",
        Rows("nearest", "network dtype device runtime clock_mhz batch latency_ms repository path", 5),
    ),
    "validate": (Rows("groups", "class runtime quantity scheme n models median_ape within_25 coverage", 8),),
    "firmware_code": ("arena_bytes operators commands why_not notes files",),
    "import_profile": (
        "source runs latency_ms estimated_ms inside_interval ratio level_ratio spread_ratio",
        Rows("residuals", "op measured_ms estimated_ms residual_ratio excess_ms stands_out facts", 4),
        Rows("residuals[*].hypotheses", "cause check", 4), Rows("other_runtimes", "estimated_ms", 3),
    ),
    "explain_trace": (
        "occupancy.compute_only_share occupancy.overlap_share occupancy.transfer_only_share "
        "occupancy.idle_share",
        Rows("operators", "op times time_ms cycles share", 4),
        Rows("by_source", "op time_ms cycles share", 4), Rows("lanes", "doing busy_share", 6),
        Rows("joined", "expected_cycles measured_ms implied_clock_mhz share", 4),
        "counters.kind", Rows("counters.rules", "severity why remedy at_most_share", 4),
        Rows("counters.causes", "share how", 6),
        "energy.inference_uj energy.static_uj energy.mean_mw energy.peak_mw energy.idle_mw energy.inferences",
        Rows("energy.layers", "op energy_uj share mean_mw", 4), "energy_fit.left_out_r2",
        Rows("advice", "severity why remedy", 4), Rows("doubts", "severity why remedy", 4),
        Rows("checklist", "met found", 8), "bound_shares engines facts",
        Rows("compiled", "op cycles macs bound engine times", 4),
        Rows("clocks", "energy_uj latency_ms least_energy least_edp", 4), "run_times.p50_ms run_times.p99_ms",
    ),
    "compare_runs": (
        Rows("figures", "before after change low high ratio", 6), "differs",
        Rows("by_structure", "change share why", 6), Rows("by_counter", "change share why", 6),
        Rows("layers", "op matched_by before after change share", 6),
    ),
    "explain_firmware": (
        "flash_bytes ram_bytes", Rows("parts", "role flash_bytes ram_bytes", 7),
        Rows("against", "linked_bytes planned ratio inside why", 4),
        Rows("symbols", "role bytes in_flash in_ram", 5), "unused_kernel_bytes unused_kernels",
    ),
    "explain_message": (
        "needed_bytes available_bytes missing_bytes arena_bytes least_arena_bytes largest_arena_bytes",
        "operator register_call target ram_bytes largest_region_bytes left_bytes flash_bytes",
    ),
    "explain_counters": ("kind", Rows("rules", "severity why remedy", 4), Rows("metrics", "value", 8)),
    "predict_cache": (
        "cache_bytes last_level_bytes fitting_layers",
        Rows("layers", "op working_set_bytes cache_ratio miss_rate penalty_share", 5, "penalty_share"),
    ),
    "diff_models": (
        Rows("figures", "before after change percent direction", 8),
        Rows("layers", "change before.op after.op latency_ms macs", 5),
        "peak_moved operators_added operators_removed unsupported_added",
    ),
    "diff_targets": (Rows("differences", "field one other", 16),),
    "get_target": (
        "name class cores clock_max_mhz ram_bytes largest_region_bytes largest_region flash_bytes price_usd "
        "runtimes",
        Rows("regions", "kind size_bytes bandwidth_bytes_per_s external", 9),
        Rows("peaks", "dtype dense_gops ridge_point", 4),
        Rows("rents", "hour_usd provider instance region cards date", 5),
        Rows("video", "streams takes_cpu", 3),
        Rows("conflicts", "chosen others chosen_because", 3),
        Rows("figures", "value source locator", 0), "notes",
    ),
    "list_targets": (
        Rows("targets", "id class cores clock_max_mhz ram_bytes flash_bytes power_mw price_usd accelerators",
             20),
    ),
    "list_runtimes": (Rows("runtimes", "name usual_dtype planner targets", 60),),
    "get_runtime": (
        "name planner usual_dtype fallback complete runs_on targets",
        Rows("operators", "dtypes optimized", 12), "sources notes",
    ),
    "list_architectures": ("architectures",),
    "list_model_files": (Rows("files", "bytes", 40), "more"),
    "list_batteries": (Rows("batteries", "capacity_mah nominal_v also", 40),),
}  # fmt: skip

BRIEF: dict[str, Shown] = {
    "estimate_performance": (
        "latency_ms per_image_ms inferences_per_second at_once_per_second energy_uj power_mw",
    ),
    "check_constraints": ("verdict", Rows("checks", "verdict demand bound gap statement", 12)),
    "plan_memory": ("arena flash fits why_not",),
    "analyze_roofline": ("bound arithmetic_intensity ridge_point compute_utilization latency_ms",),
    "score_compatibility": ("verdict score supported_ops fallback_ops unsupported_ops unknown_ops",),
    "trace_timeline": ("arena_bytes peak.index peak.op peak.live_bytes",),
}
"""Where more than a few records come at once."""
