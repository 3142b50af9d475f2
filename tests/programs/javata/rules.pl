% The rules that Girgis and Jayaraman print (figures 4 to 8 of "JavaTA: A Logic-based Debugger for Java"), as they stand there. The last two
% predicates are used there and not printed.

call_chain(Id, OutList) :- findall(CId, any_enclosing_method(Id, CId, _), OutList).

any_enclosing_method(Id, CallId, ExitId) :-
  event(Id, T, _), event(CallId, T, methodcall(_, O, N, _)), Id > CallId,
  event(ExitId, T, methodexit(CallId, _, O, N, _)), Id < ExitId.
any_enclosing_method(Id, CallId, ExpId) :-
  event(Id, T, _), event(CallId, T, methodcall(_, O, N, _)), Id > CallId,
  \+ event(_, T, methodexit(CallId, _, O, N, _)),
  event(ExpId, T, exception(_, _, _, uncaught)), Id =< ExpId.

where_exception_is_thrown(Thread, Env) :- where(Thread, exception(_, _, _, uncaught), Env).
where(Thread, Event, Env) :- event(Id, Thread, Event), full_detail_call_chain(Id, [Env|_]).

pre_event_called_methods(Id, OutList) :- findall([Call, Exit], pre_event_called_method(Id, Call, Exit), OutList).
pre_event_called_method(Id, event(Call, T, E1), event(Exit, T, E2)) :-
  enclosed_method(Id, Call, Exit), Call < Id, Exit < Id,
  event(Call, T, E1), event(Exit, T, E2).
enclosed_method(Id, Call, Exit) :-
  full_detail_call_chain(Id, [event(EnclosingId, Thread, _)|_]),
  any_enclosing_method(Id, EnclosingId, IdExit),
  event(Call, Thread, methodcall(_, O, N, _)),
  event(Exit, Thread, methodexit(Call, _, O, N, _)),
  any_enclosing_method(Call, EnclosingId, IdExit),
  any_enclosing_method(Exit, EnclosingId, IdExit).

instance_field_history(S, E, OName, OId, F, R) :-
  findall([Id, F, V], instance_field_value(S, E, OName, OId, F, Id, V), R).
instance_field_value(S, E, OName, OId, F, Id, V) :-
  event(Id, _, setfield(_, o(OName, OId), F, V)), Id >= S, Id =< E.

full_detail_call_chain(Id, L) :- call_chain(Id, Ids), reverse(Ids, R),
  findall(event(I,T,E), (member(I,R), event(I,T,E)), L).
class_field_history(S, E, C, F, R) :-
  findall([Id,F,V], (event(Id,_,setfield(_,c(C),F,V)), Id >= S, Id =< E), R).
